/** A magazine in Arabic. */

import { html } from '../../service/html.ts';
import { box, hostPage, type Host } from './host.ts';

export const rightToLeft: Host = {
  name: 'right-to-left',
  title: 'Right to left',
  page: () => hostPage({
    name: 'right-to-left',
    title: 'دفاتر المرفأ',
    lang: 'ar',
    dir: 'rtl',
    body: html`<header><p class="name">دفاتر المرفأ</p></header>
<main>
<h1>من يوقد المصابيح هذا الشتاء؟</h1>
<p>ظلّت مصابيح الرصيف مطفأة ثلاثة أعوام. في الأسبوع الماضي عاد الضوء إلى المصباح الأول، ثم إلى الثاني، ولم يعرف أحد في البداية من الذي يصعد السلّم كل مساء.</p>
<p>سألنا الصيادين فابتسموا، وسألنا البلدية فقالت إنها لم ترسل أحدًا. أما الأطفال فكانوا يعرفون الاسم منذ الليلة الأولى.</p>
${box('كان جدّي يوقدها قبل أربعين سنة. شكرًا لأنكم كتبتم عنه.', 'ليلى', 'ليلى')}
</main>`,
  }),
};
