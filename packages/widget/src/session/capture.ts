/** Takes the callback out of the page's address as soon as this module is evaluated. */

import { captureCallback } from './callback.ts';

captureCallback();
