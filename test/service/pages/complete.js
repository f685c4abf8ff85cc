/** The completion page in a window of its own says so and closes. A window whose opener was cut off by a
 *  Cross-Origin-Opener-Policy is still known by its missing toolbar. Where the browser does not let it close, the way
 *  back stays. */
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
