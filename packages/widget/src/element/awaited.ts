/** What makes a box load at once, wherever it is. Reads storage without the modules that write it: they are the box's. */

const CALLBACK = /[?&](?:audiencesync_uri=|error=access_denied|success=1)/;

/** Whether this page is that of a sign-in, or the one that the reader left for it, or whether this browser has a sign-out or a
 *  comment that has to reach the BFF. @param bff its public URL */
export function isBoxAwaited(bff: string): boolean {
  if (window.name === 'vestibule-sync' || CALLBACK.test(location.search)) return true;
  try {
    const isSending = (key: string): boolean => key.startsWith(`vestibule:entry ${bff} `) && localStorage[key].includes('"state":"sending"');
    const marker = sessionStorage.getItem('vestibule:return') ?? '';
    return marker.includes(`"address":"${location.origin}${location.pathname}`)
      || localStorage.getItem(`vestibule:signed-out ${bff}`)?.includes('"isOpen":true') === true
      || Object.keys(localStorage).some(isSending);
  } catch {
    // The browser refuses storage.
    return false;
  }
}
