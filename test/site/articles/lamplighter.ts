/** The lead story. */

import { html } from '../../service/html.ts';
import { quayAtDusk } from '../illustrations/quay-at-dusk.ts';
import type { Article } from './article.ts';

export const lamplighter: Article = {
  slug: 'lamplighter',
  section: 'Town',
  title: 'The last lamplighter of Quay Street',
  standfirst: 'For forty-one years Ilse Maron has lit the harbour’s gas lamps by hand. On Thursday the council decides whether a sensor could do it instead.',
  author: 'Hanne Okafor',
  date: '2026-06-09',
  minutesToRead: 3,
  illustration: quayAtDusk,
  caption: 'Quay Street a little before nine, with two lamps to go.',
  body: html`
<p>At twenty to nine on a June evening the harbour is still pink, and Ilse Maron is early. She leans her pole against the railing outside the chandler’s, eats half a pear, and waits for the light to go. “People think I follow a timetable,” she says. “I follow the gulls. When they stop arguing, it is dark enough.”</p>
<p>There are sixty-two gas lamps on Quay Street, and she has lit every one of them, every night, since the winter of 1985, but for nine days when her daughter was born and a week in which the street was under water. The round takes her fifty minutes. She knows which lamps sulk in an east wind, and which one, outside the old customs house, has to be told a joke.</p>
<h2>A matter of eleven thousand a year</h2>
<p>On paper the proposal is modest. A light sensor and a small valve would be fitted inside each lantern, out of sight. The gas would stay, and the mantles, and the soft, faintly green light that painters come for. Only the walk would end. The works department puts the saving at eleven thousand a year, about the price of resurfacing one tennis court.</p>
<p>Bram Oduya, the councillor who drafted it, dislikes being cast as the villain. “Nobody is taking away the lamps,” he says. “I am asking whether a town that cannot staff its night nurse should pay for a nightly procession.” He thinks about it. “I will admit that it is a lovely procession.”</p>
<blockquote><p>I follow the gulls. When they stop arguing, it is dark enough.</p></blockquote>
<p>Those who would miss it are hard to count, because most of them have never thought of it as a service. The baker sets his second dough by her. Two proposals of marriage, that we know of, were made under the ninth lamp on the understanding that it would light within the minute. Sanna Ruiz, the harbour pilot, has brought ships in past a row of lights that was half lit and half dark, and has known from the gap precisely what time it was.</p>
<h2>What a sensor cannot see</h2>
<p>There is a technical argument too, and it surprised the engineers. Because Ms Maron stops at every lamp, every lamp is inspected every day. In four decades no passer-by has ever had to report a leak. Valves that worked perfectly would need an inspector of their own; the saving, the fire service noted drily in its submission, “already walks about with a pole”.</p>
<p>Asked what she would do with her evenings, Ms Maron looks out over the water, where the first lamp has put down its long yellow line. “Sit on the bench under number nine, I suppose,” she says. “And tell the sensor when it’s late.”</p>
<p>The council meets on Thursday at seven. The lamps will be lit at nine minutes past nine, or when the gulls allow.</p>`,
};
