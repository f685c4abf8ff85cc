/** Questions and hooks. It has no imports, so any folder works. */

/** @type {Partial<import('@vestibule/bff').VestibuleConfig>} */
export default {
  validation: {
    fields: [
      { name: 'rules', type: 'checkbox', label: { en: 'I accept the house rules', de: 'Ich akzeptiere die Hausregeln' }, required: true },
    ],
  },
};
