/** The phrase of `<vestibule-count>` in the languages of the elements, by their tags. */

import type { Plural } from '../locales/language.ts';

export const phrases: Readonly<Record<string, Plural>> = {
  ar: {
    zero: 'لا تعليقات', one: 'تعليق واحد', two: 'تعليقان',
    few: '{count} تعليقات', many: '{count} تعليقًا', other: '{count} تعليق',
  },
  cs: { one: '{count} komentář', few: '{count} komentáře', many: '{count} komentáře', other: '{count} komentářů' },
  da: { one: '{count} kommentar', other: '{count} kommentarer' },
  de: { one: '{count} Kommentar', other: '{count} Kommentare' },
  en: { one: '{count} comment', other: '{count} comments' },
  es: { one: '{count} comentario', other: '{count} comentarios' },
  fi: { one: '{count} kommentti', other: '{count} kommenttia' },
  fr: { one: '{count} commentaire', other: '{count} commentaires' },
  he: { one: 'תגובה אחת', two: 'שתי תגובות', other: '{count} תגובות' },
  it: { one: '{count} commento', other: '{count} commenti' },
  ja: { other: 'コメント{count}件' },
  ko: { other: '댓글 {count}개' },
  nb: { one: '{count} kommentar', other: '{count} kommentarer' },
  nl: { one: '{count} reactie', other: '{count} reacties' },
  pl: { one: '{count} komentarz', few: '{count} komentarze', many: '{count} komentarzy', other: '{count} komentarza' },
  pt: { one: '{count} comentário', other: '{count} comentários' },
  'pt-PT': { one: '{count} comentário', other: '{count} comentários' },
  sv: { one: '{count} kommentar', other: '{count} kommentarer' },
  tr: { one: '{count} yorum', other: '{count} yorum' },
  uk: { one: '{count} коментар', few: '{count} коментарі', many: '{count} коментарів', other: '{count} коментаря' },
  zh: { other: '{count} 条评论' },
  'zh-Hant': { other: '{count} 則評論' },
};
