/** Opens links with `data-popup` in a window of their own, and in the page itself where the browser refuses one. */
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-popup]') : null;
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (window.open(link.href, '_blank', 'popup,width=480,height=720')) event.preventDefault();
});
