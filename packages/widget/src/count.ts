/** The script tag's entry for lists of articles: defines `<vestibule-count>` alone. */

if (!customElements.get('vestibule-count')) customElements.define('vestibule-count', class extends HTMLElement {});
