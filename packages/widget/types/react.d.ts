/** `@vestibule/widget/react`: the elements in JSX of React 19. Types only. */

import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { ElementProps, Elements } from './elements.d.ts';

type Props<Tag extends keyof Elements> = ElementProps<Tag> & { class?: string | undefined }
  & Omit<DetailedHTMLProps<HTMLAttributes<Elements[Tag]>, Elements[Tag]>, keyof ElementProps<Tag>>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'vestibule-comments': Props<'vestibule-comments'>;
      'vestibule-count': Props<'vestibule-count'>;
      'vestibule-sync': Props<'vestibule-sync'>;
    }
  }
}
