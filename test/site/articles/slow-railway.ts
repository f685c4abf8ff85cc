/** The second story. */

import { html } from '../../service/html.ts';
import { duneTrain } from '../illustrations/dune-train.ts';
import type { Article } from './article.ts';

export const slowRailway: Article = {
  slug: 'slow-railway',
  section: 'Coast',
  title: 'The railway that chose to be slow',
  standfirst: 'Three years ago the Dune Line cut its top speed by a third to spare a nesting bird. Then the passengers came.',
  author: 'Emeka Vance',
  date: '2026-06-08',
  minutesToRead: 3,
  illustration: duneTrain,
  caption: 'The 10.14 at kilometre nine, with its audience.',
  body: html`
<p>The 10.14 to Saltmarsh Halt does not hurry. It leaves the junction at the pace of a cyclist with something on her mind, leans into the first bend, and by the time it reaches the dunes it is moving so gently that you can count the posts of the snow fence. You are meant to.</p>
<p>In the spring of 2023 the line was given a choice. A pair of little terns, then eleven pairs, then forty, had taken to nesting on the shingle beside kilometre nine, and trains at ninety kilometres an hour were putting them up off their eggs. The line could close for ten weeks every summer, or it could slow down. “We took slowing down to be closing with extra steps,” says Teodor Lindqvist, who manages it.</p>
<h2>Nineteen minutes</h2>
<p>The new timetable made the journey nineteen minutes longer. The commuters, of whom there were sixty, were furious, and some of them still are. But by August the carriages were full of people who were not going anywhere in particular. They brought flasks. A retired surveyor began, unasked, to name the birds aloud. The company hesitated for a month and then gave him a cap.</p>
<p>Ridership now stands at two and a half times what it was, and the café at Saltmarsh Halt, which used to open at weekends, has taken on a second baker. The terns have done well out of it too: ninety-one pairs at the last count, the largest colony on this coast since the war.</p>
<blockquote><p>It turned out that we had been selling people the wrong end of the journey.</p></blockquote>
<p>Not everyone calls this a success. Marta Achterberg, who opens the surgery at the junction at six each morning, gave up an hour’s sleep a week to the terns and says so. From September the first two trains of the day will run at the old speed, when there are no eggs to leave. “A compromise,” she says, “is when the bird and I are both a little annoyed.”</p>
<h2>Notebooks</h2>
<p>Six other railways have sent people to ride the 10.14. What they tend to write down, Mr Lindqvist has noticed, is the revenue per seat. What he would like them to write down is what happens at kilometre nine: how the carriage falls quiet without being asked, and forty strangers look out of the same side.</p>`,
};
