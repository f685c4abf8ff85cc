/** The third story. */

import { html } from '../../service/html.ts';
import { clockTower } from '../illustrations/clock-tower.ts';
import type { Article } from './article.ts';

export const townClock: Article = {
  slug: 'town-clock',
  section: 'Opinion',
  title: 'Four minutes fast, and better for it',
  standfirst: 'On Sunday we vote on whether the town hall clock should tell the time. It never has. Let us keep it that way.',
  author: 'Ottilie Brandt',
  date: '2026-06-07',
  minutesToRead: 2,
  illustration: clockTower,
  caption: 'Noon, more or less.',
  body: html`
<p>The clock on the town hall has been wrong for as long as anybody here has been late. It was put forward by four minutes in 1911, so the story goes, because the last ferry left at ten and the ferryman waited for no one. The ferry stopped in 1958. The four minutes stayed, and nobody has ever quite had the nerve to give them back.</p>
<p>Now a motion before the town would have the clock set by satellite. I have nothing against satellites. But I should like to say what we would be buying, and with what.</p>
<h2>The exact time is everywhere</h2>
<p>You have it in your pocket. It is on the oven, in the car, along the top of whatever you are reading this on. A town that hung the exact time on a tower would be telling its people the one thing that all of them know. What the tower says instead is: <em>go now</em>. There is no other instrument in public life that errs on the side of getting you there.</p>
<blockquote><p>A clock that is four minutes fast is not wrong. It is kind.</p></blockquote>
<p>It also makes us from somewhere. Visitors look up, look at their wrists and then, a little helplessly, at us; and we say, “Oh, that’s the clock.” I have seen friendships begin in that sentence. Children learn here, earlier than elsewhere, that a thing can be both incorrect and agreed upon, which is most of what there is to know about money, manners and the rules of cricket.</p>
<p>Those who would correct it say that a public clock is a promise. I agree. Ours promised in 1911 that nobody should be left on the quay in the dark, and it has kept that promise twice a day ever since, with four minutes to spare.</p>
<p>The polls close on Sunday at six. By the tower, that is.</p>`,
};
