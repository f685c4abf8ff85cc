/** Whether the tests run at full length: `npm run test:long`. */
export const isLong = process.env['VESTIBULE_TEST_LONG'] === '1';
