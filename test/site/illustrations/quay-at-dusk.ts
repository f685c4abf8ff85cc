/** A row of gas lamps on a quay; the last ones are not lit yet. */

import { html, type Html } from '../../service/html.ts';

const HORIZON = 430;

export const quayAtDusk: Html = html`<svg class="art quay" viewBox="0 0 1200 640" role="img" aria-label="A harbour street at dusk. A woman with a long pole has lit half of the lamps; their light lies on the water.">
<defs>
<linearGradient id="quay-sky" x1="0" y1="0" x2="0" y2="1"><stop class="q-sky-1" offset="0"/><stop class="q-sky-2" offset=".62"/><stop class="q-sky-3" offset="1"/></linearGradient>
<linearGradient id="quay-water" x1="0" y1="0" x2="0" y2="1"><stop class="q-water-1" offset="0"/><stop class="q-water-2" offset="1"/></linearGradient>
<radialGradient id="quay-glow"><stop class="q-glow" offset="0" stop-opacity=".95"/><stop class="q-glow" offset=".22" stop-opacity=".42"/><stop class="q-glow" offset="1" stop-opacity="0"/></radialGradient>
<linearGradient id="quay-beam" x1="0" y1="0" x2="0" y2="1"><stop class="q-glow" offset="0" stop-opacity=".75"/><stop class="q-glow" offset="1" stop-opacity="0"/></linearGradient>
</defs>
<rect width="1200" height="${HORIZON}" fill="url(#quay-sky)"/>
<g class="q-stars">${[[90, 60], [210, 110], [330, 48], [455, 92], [610, 40], [700, 120], [835, 66], [960, 104], [1100, 52]]
  .map(([x, y]) => html`<circle cx="${x ?? 0}" cy="${y ?? 0}" r="1.8"/>`)}</g>
<path class="q-hills" d="M0 372c130-46 236-30 330-8s170 10 262-22 210-40 318-6 190 22 290-10v110H0z"/>
${houses()}
<rect class="q-quay" y="${HORIZON - 14}" width="1200" height="34"/>
<rect class="q-kerb" y="${HORIZON - 14}" width="1200" height="4"/>
<rect y="${HORIZON + 20}" width="1200" height="${640 - HORIZON - 20}" fill="url(#quay-water)"/>
${[90, 250, 410, 570, 730].map((x) => lamp(x, true))}
${[890, 1050].map((x) => lamp(x, false))}
<g class="q-figure">
<path d="M806 416c-2-26-1-44 2-58 1-7 5-11 11-11s10 4 11 11c3 14 5 32 4 58z"/>
<circle cx="819" cy="336" r="10"/>
<path d="M809 333c4-10 16-11 21-2l-6-1-3 2z"/>
<path class="q-pole" d="M826 366 886 292"/>
</g>
<g class="q-gulls"><path d="M520 176q12-12 22 0 10-12 22 0M600 140q9-9 17 0 8-9 17 0M470 214q8-8 15 0 7-8 15 0"/></g>
<g class="q-ripples">${[[140, 500, 90], [420, 540, 130], [760, 505, 110], [980, 560, 150], [260, 596, 120], [620, 606, 90]]
  .map(([x, y, width]) => html`<rect x="${x ?? 0}" y="${y ?? 0}" width="${width ?? 0}" height="3" rx="1.5"/>`)}</g>
</svg>`;

function lamp(x: number, lit: boolean): Html {
  const light = html`<circle cx="${x}" cy="284" r="92" fill="url(#quay-glow)"/>
<rect x="${x - 7}" y="${HORIZON + 22}" width="14" height="176" rx="7" fill="url(#quay-beam)"/>
<rect x="${x - 24}" y="${HORIZON + 52}" width="48" height="3" rx="1.5" fill="url(#quay-beam)"/>`;
  return html`<g>${lit && light}
<path class="q-lamp" d="M${x - 3} 300h6v118h-6zM${x - 9} 412h18v6h-18zM${x - 14} 266h28l-5 34h-18zM${x - 17} 262h34l-9-12h-16zM${x - 3} 242h6v9h-6z"/>
<path class="${lit ? 'q-flame' : 'q-glass'}" d="M${x - 10} 270h20l-4 26h-12z"/></g>`;
}

function houses(): Html[] {
  const row = [
    [-10, 150, 206], [140, 96, 168], [236, 132, 228], [368, 88, 186], [456, 118, 154], [574, 104, 214],
    [678, 126, 176], [804, 92, 222], [896, 124, 160], [1020, 92, 200], [1112, 88, 170],
  ];
  return row.map(([x = 0, width = 0, height = 0], i) => {
    const top = HORIZON - 14 - height;
    const roof = i % 3 === 0
      ? `M${x} ${top}l${width / 2}-44 ${width / 2} 44z`
      : i % 3 === 1 ? `M${x} ${top}v-16h${width / 5}v-16h${width * 0.6}v16h${width / 5}v16z` : `M${x} ${top}l14-30h${width - 28}l14 30z`;
    return html`<g class="q-house q-house-${i % 4}"><path d="${roof}"/><rect x="${x}" y="${top - 1}" width="${width}" height="${height + 1}"/>
${windows(x, top, width, height, i)}</g>`;
  });
}

function windows(x: number, top: number, width: number, height: number, house: number): Html[] {
  const columns = width > 110 ? 3 : 2;
  const rows = Math.floor((height - 60) / 46);
  return Array.from({ length: columns * rows }, (_, i) => {
    const column = i % columns;
    const row = Math.floor(i / columns);
    const lit = (house * 7 + i * 5) % 4 === 0;
    const step = width / columns;
    return html`<rect class="${lit ? 'q-window-lit' : 'q-window'}" x="${(x + step * (column + 0.5) - 9).toFixed(1)}" y="${top + 22 + row * 46}" width="18" height="26" rx="2"/>`;
  });
}
