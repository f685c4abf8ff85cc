/** The pages of Astro, in a folder of the server that has the BFF. */

export default { base: '/astro', devToolbar: { enabled: false } };
