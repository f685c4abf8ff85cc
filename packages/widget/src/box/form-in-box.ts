/** The form of the script tag. What it and the box both use is in the box's chunk, which the page of the sign-in has loaded. */

import './box.ts';

export { VestibuleSync } from '../form/vestibule-sync.ts';
