/** Templates of the second stage, from a view and the reader's actions. */

import { html, nothing } from 'lit';
import { readerName } from '../../lib/reader-name.ts';
import { commentsStrings } from '../../locales/en-comments.ts';
import { fallbackStrings } from '../../locales/en-fallback.ts';
import { problemStrings } from '../../locales/en-problems.ts';
import { withOwn } from '../../locales/own-strings.ts';
import { fill } from '../../locales/phrase.ts';
import type { CommentsView } from '../comments-view.ts';
import { referenceView } from '../../lib/reference-view.ts';
import type { SecondStageParts } from '../second-stage.ts';
import { alertView } from './alert-view.ts';
import type { CommentsActions } from './comments-actions.ts';
import { counterView } from './counter-view.ts';
import { otherDraftView, panelView } from './panel-view.ts';
import { postsView } from './posts-view.ts';
import { statusView } from './status-view.ts';
import type { BoxContext, Words } from './words.ts';

export function renderParts(view: CommentsView, actions: CommentsActions, context: BoxContext): SecondStageParts {
  const { localizer, own, showPosts } = context;
  const strings = withOwn(localizer.strings('comments', commentsStrings), own?.comments);
  const words: Words = {
    ...context,
    tag: localizer.tag,
    strings,
    fallback: withOwn(localizer.strings('fallback', fallbackStrings), own?.fallback),
    problems: withOwn(localizer.strings('problems', problemStrings), own?.problems),
    textIsKept: view.isTextKept === undefined ? '' : view.isTextKept ? strings.draft.kept : strings.draft.notKept,
  };
  const { primary } = view;
  return {
    account: accountView(view, actions, words),
    primary: !primary ? 'post' : primary.action in words.strings.action ? { label: words.strings.action[primary.action as 'posting'] } : primary.action as 'post',
    status: statusView(view, words),
    footer: [view.status?.kind === 'unavailable' ? referenceView(view.status.problem, words.problems.reference) : nothing, statusAction(view, actions, words), counterView(view, words), discardView(view, actions, words)],
    alert: alertView(view, words),
    more: [otherDraftView(view, actions, words), panelView(view, actions, words), showPosts ? nothing : postsView(view, words)],
  };
}

function accountView({ account, isBusy }: CommentsView, actions: CommentsActions, { strings }: Words) {
  if (!account) return nothing;
  const { signedInAs, signOut, mayWrite } = strings.account;
  if (!account.user) return html`<span class="hint" id="writer">${mayWrite}</span>`;
  return html`
    <span class="who" id="writer">${fill(signedInAs, { name: readerName(account.user) })}</span>
    <button class="link" part="button sign-out" aria-disabled=${isBusy || nothing} @click=${() => isBusy || actions.requestSignOut()}>${signOut}</button>
  `;
}

function statusAction({ statusAction: action }: CommentsView, actions: CommentsActions, { strings: { status } }: Words) {
  switch (action) {
    case 'stop': return html`<button class="link" part="button" @click=${() => actions.stopRetrying()}>${status.stop}</button>`;
    case 'reopen': return html`<button class="link" part="button" @click=${() => actions.signIn()}>${status.reopen}</button>`;
    case undefined: return nothing;
  }
}

function discardView({ canDiscard }: CommentsView, actions: CommentsActions, { strings }: Words) {
  return canDiscard
    ? html`<button class="link discard" part="button" @click=${() => actions.discardDraft()}>${strings.draft.discard}</button>`
    : nothing;
}
