/** The package in a client component, which the server renders too. */

'use client';

import { useEffect, useState } from 'react';
import '@vestibule/widget/define';

export function Comments() {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return (
    <div data-hydrated={isHydrated}>
      <vestibule-comments bff="/vestibule" forum="news" page="https://www.example.com/articles/1" heading-level={3} placeholder="Speak" />
      <vestibule-count bff="/vestibule" forum="news" page="https://www.example.com/articles/1">Comments</vestibule-count>
    </div>
  );
}
