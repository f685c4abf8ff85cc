/** A short train among dunes, and terns over it. */

import { html, type Html } from '../../service/html.ts';

export const duneTrain: Html = html`<svg class="art dunes" viewBox="0 0 1200 640" role="img" aria-label="A small two-carriage train crosses the dunes beside the sea. Three terns fly over it.">
<defs>
<linearGradient id="dune-sky" x1="0" y1="0" x2="0" y2="1"><stop class="d-sky-1" offset="0"/><stop class="d-sky-2" offset="1"/></linearGradient>
<linearGradient id="dune-sand" x1="0" y1="0" x2="0" y2="1"><stop class="d-sand-1" offset="0"/><stop class="d-sand-2" offset="1"/></linearGradient>
</defs>
<rect width="1200" height="640" fill="url(#dune-sky)"/>
<circle class="d-sun" cx="930" cy="150" r="58"/>
<g class="d-clouds"><path d="M120 150h230c0-22-20-34-42-30-8-30-62-38-80-6-30-14-56 4-58 20-30-4-50 4-50 16zM560 96h160c0-16-14-24-30-20-6-22-44-26-56-4-22-8-40 2-42 14-20-2-32 2-32 10z"/></g>
<rect class="d-sea" y="300" width="1200" height="90"/>
<g class="d-foam"><rect x="80" y="330" width="120" height="3" rx="1.5"/><rect x="380" y="346" width="180" height="3" rx="1.5"/><rect x="760" y="326" width="150" height="3" rx="1.5"/><rect x="1010" y="352" width="110" height="3" rx="1.5"/></g>
<path class="d-dune-far" d="M0 388c120-40 230-54 340-24s180 22 290-6 230-40 330-6 170 24 240-4v130H0z"/>
<path class="d-bank" d="M0 452h1200v120H0z"/>
<g class="d-track"><rect y="452" width="1200" height="5"/>${Array.from({ length: 41 }, (_, i) => html`<rect x="${i * 30 + 4}" y="457" width="16" height="6"/>`)}</g>
<g class="d-train">
${carriage(330, false)}
${carriage(560, true)}
<rect class="d-coupling" x="548" y="434" width="16" height="6"/>
</g>
<path fill="url(#dune-sand)" d="M0 520c150-56 280-50 420-14s250 30 390-8 270-34 390 4v138H0z"/>
<path class="d-dune-near" d="M0 586c190-44 330-20 470 8s320 10 450-18 190-22 280-6v70H0z"/>
<g class="d-grass">${[[60, 556], [96, 566], [188, 532], [232, 520], [470, 540], [512, 552], [560, 556], [870, 514], [910, 506], [1010, 498], [1120, 520], [1160, 530], [330, 590], [700, 604], [1050, 580]]
  .map(([x = 0, y = 0]) => html`<path d="M${x} ${y}q-4-26-16-36M${x} ${y}q-1-30 2-44M${x} ${y}q5-24 18-32"/>`)}</g>
<g class="d-fence">${Array.from({ length: 12 }, (_, i) => html`<rect x="${720 + i * 34}" y="${520 - Math.round(10 * Math.sin(i / 3))}" width="5" height="46" rx="2"/>`)}<path d="M712 536q140-28 380 4M712 552q140-28 380 4"/></g>
${[[430, 214, 1], [540, 170, 0.8], [300, 250, 0.7]].map(([x = 0, y = 0, scale = 1]) => tern(x, y, scale))}
</svg>`;

function carriage(x: number, front: boolean): Html {
  const body = front ? `M${x} 372h176q30 0 38 30l6 34H${x}z` : `M${x} 372h214q4 0 4 4v60H${x}z`;
  return html`<path class="d-carriage" d="${body}"/>
<path class="d-stripe" d="M${x} 418h${front ? 217 : 218}v8H${x}z"/>
<rect class="d-roof" x="${x + 8}" y="366" width="${front ? 166 : 202}" height="8" rx="4"/>
${Array.from({ length: front ? 4 : 5 }, (_, i) => html`<rect class="d-window" x="${x + 14 + i * 40}" y="384" width="28" height="24" rx="4"/>`)}
${front && html`<path class="d-window" d="M${x + 178} 384q20 2 26 24h-26z"/>`}
${[30, 66, 150, 186].map((offset) => html`<circle class="d-wheel" cx="${x + offset}" cy="442" r="10"/>`)}`;
}

function tern(x: number, y: number, scale: number): Html {
  return html`<g transform="translate(${x} ${y}) scale(${scale})"><path class="d-tern" d="M0 0c-18-20-44-30-72-26 26 4 42 16 54 34-6 2-12 6-16 12 10-4 20-4 30-2 8 2 20 0 30-6 4-2 10-3 16-2-6-5-12-8-18-8 8-20 26-36 52-44-30-2-58 12-76 42z"/>
<path class="d-cap" d="M26 8c4-6 12-8 18-6-4 3-10 6-18 6z"/></g>`;
}
