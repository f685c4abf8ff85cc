/** A component of React 19 with the elements. It is compiled, never run. */

import { useRef } from 'react';
import '@vestibule/widget/define';
import type {} from '@vestibule/widget/react';
import type { VestibuleComments } from '@vestibule/widget';

export function Comments({ article }: { article: string }) {
  const box = useRef<VestibuleComments>(null);
  return (
    <>
      <vestibule-comments
        key={article} ref={box} bff="/vestibule" forum="news" page={article} show-posts order="top" max-length={100} headingLevel={3} strings='{"core":{}}'
        className="box" style={{ color: 'red' }} aria-label="Comments" lang="en" id="comments" suppressHydrationWarning data-x="1"
        onClick={() => void box.current?.signIn()} onFocus={(event) => { event.currentTarget.focus(); }}
        onvestibule-posted={({ detail }) => { console.log(detail.post); }}
      ><a href="/comments">Comments</a></vestibule-comments>
      <vestibule-count forum="news" page={article} strings='{"other":"{count}"}'>Comments</vestibule-count>
      <vestibule-sync opener-origins="https://www.example.com" ref={(form) => { form?.focus(); }} />
      {/* @ts-expect-error -- a number */}
      <vestibule-comments forum="news" max-length="nine" />
      {/* @ts-expect-error -- no attribute of the element */}
      <vestibule-comments forum="news" pages="1" />
    </>
  );
}
