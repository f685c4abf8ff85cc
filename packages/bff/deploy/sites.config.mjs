/** Three sites of one process, in place of vestibule.config.mjs. VESTIBULE_PUBLIC_URL has no effect beside them; other
 *  variables are defaults of all. It has no imports, so any folder works. With systemd, the sites are one unit; a key of its
 *  own is one more LoadCredential= of the unit (--property of vestibule-command), and
 *  `${process.env.CREDENTIALS_DIRECTORY}/chronicle-key` the file. */

/** @type {import('@vestibule/bff').ConfigFile} */
export default {
  validation: {
    fields: [
      { name: 'rules', type: 'checkbox', label: { en: 'I accept the house rules', de: 'Ich akzeptiere die Hausregeln' }, required: true },
    ],
  },
  sites: [
    // An installation that had this public URL keeps its readers and answers by the empty key.
    { publicUrl: 'https://www.courier.example/vestibule', forums: ['courier'], key: '', site: { name: 'The Harbour Courier' } },
    { publicUrl: 'https://www.gazette.example/vestibule', forums: ['gazette'], site: { name: 'The Gazette' } },
    // With keys of its own at the service, pages on two origins, and no questions.
    {
      publicUrl: 'https://comments.chronicle.example', forums: ['chronicle'],
      publicKey: 'replace-me', secretKeyFile: '/run/secrets/chronicle-key',
      allowedOrigins: ['https://www.chronicle.example', 'https://chronicle.example'],
      validation: { fields: [] },
    },
  ],
};
