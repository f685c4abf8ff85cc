/** Closes a popup. A Cross-Origin-Opener-Policy removes `opener`, so a window without a toolbar counts as a popup too. If the
 *  browser does not close it, the link to the publisher appears again. */
const { display } = document.body.dataset;
const ownWindow = display ? display === 'popup' : window.opener !== null || !window.toolbar.visible;

if (ownWindow) {
  const closing = document.querySelector('.closing');
  const back = document.querySelector('.back');
  closing.hidden = false;
  back?.setAttribute('hidden', '');
  setTimeout(() => {
    window.close();
    closing.hidden = true;
    back?.removeAttribute('hidden');
  }, 900);
}
