/** Closes a popup at the end of a sign-in. A Cross-Origin-Opener-Policy removes `opener`, so a window without a toolbar counts as
 *  a popup too. If the browser does not close it, the link to the publisher appears again. */
const outcome = document.querySelector('.outcome');
const display = outcome?.dataset.display;
const isPopup = display ? display === 'popup' : window.opener !== null || !window.toolbar.visible;

if (outcome && isPopup) {
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
