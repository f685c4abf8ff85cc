/** Questions and hooks. It imports nothing, so it can lie anywhere: the types come from where the package is installed. */

/** @type {Partial<import('@vestibule/bff').VestibuleConfig>} */
export default {
  validation: {
    fields: [
      { name: 'rules', type: 'checkbox', label: { en: 'I accept the house rules', de: 'Ich akzeptiere die Hausregeln' }, required: true },
    ],
  },
};
