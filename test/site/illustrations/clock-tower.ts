/** A town hall clock that is four minutes fast. */

import { html, type Html } from '../../service/html.ts';

export const clockTower: Html = html`<svg class="art clock" viewBox="0 0 1200 640" role="img" aria-label="A clock tower above the roofs of a town. The clock stands at four minutes past twelve while the sun is at noon.">
<defs>
<linearGradient id="clock-sky" x1="0" y1="0" x2="0" y2="1"><stop class="c-sky-1" offset="0"/><stop class="c-sky-2" offset="1"/></linearGradient>
</defs>
<rect width="1200" height="640" fill="url(#clock-sky)"/>
<g class="c-rays">${Array.from({ length: 24 }, (_, i) => html`<path d="M600 262 574-620h52z" transform="rotate(${i * 15} 600 262)"/>`)}</g>
<path class="c-roofs-far" d="M0 520v-70l60-44 60 44v-30h70v-50l46-34 46 34v40h80l50-60 50 60h60v160zM1200 520v-64l-56-48-56 48v-26h-80l-40-52-46 52h-66l-54-44-54 44h-40v90z"/>
<path class="c-tower" d="M468 640V152h264v488z"/>
<path class="c-tower-shade" d="M650 640V152h82v488z"/>
<path class="c-roof" d="M448 152h304l-44-34H492zM510 118 600-6l90 124z"/>
<path class="c-trim" d="M452 148h296v12H452zM460 388h280v10H460z"/>
<circle class="c-face-rim" cx="600" cy="270" r="106"/>
<circle class="c-face" cx="600" cy="270" r="94"/>
<g class="c-marks">${Array.from({ length: 12 }, (_, i) => html`<path d="M600 ${i % 3 === 0 ? 184 : 186}v${i % 3 === 0 ? 20 : 11}" transform="rotate(${i * 30} 600 270)"/>`)}</g>
<path class="c-hour" d="M600 282v-66" transform="rotate(2 600 270)"/>
<path class="c-minute" d="M600 290v-96" transform="rotate(24 600 270)"/>
<circle class="c-pin" cx="600" cy="270" r="7"/>
<g class="c-louvres">${[0, 1, 2].map((i) => html`<path d="M${520 + i * 62} 520v-62q18-26 36 0v62z"/>`)}</g>
<path class="c-roofs-near" d="M0 640V560l70-50 74 50v-22h96l58-56 58 56h90l46-36 46 36v102zM1200 640v-92l-64-46-70 46v-20h-90l-54-54-60 54h-84l-48-38-52 38v112z"/>
<g class="c-panes">${[[54, 580], [90, 580], [180, 570], [282, 548], [318, 548], [410, 580], [780, 574], [930, 556], [966, 556], [1040, 580], [1120, 560], [1150, 560]]
  .map(([x = 0, y = 0]) => html`<rect x="${x}" y="${y}" width="16" height="24" rx="2"/>`)}</g>
<path class="c-birds" d="M300 130q10-10 18 0 8-10 18 0M352 168q8-8 14 0 6-8 14 0M860 110q10-10 18 0 8-10 18 0"/>
</svg>`;
