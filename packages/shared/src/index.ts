/** The contract between the widget and the BFF. Needs no dependency, DOM or Node.js: the widget bundles its imports from here. */

export { articleKey } from './article-key.ts';
export { checkAnswer, DEFAULT_ANSWER_MAX_LENGTH, isCalendarDate, isFormatError, type AnswerCheck, type AnswerErrorType, type MatchesPattern } from './check-answer.ts';
export { endpoints, type Endpoint } from './endpoints.ts';
export type { Answers, AnswerValue, FieldOption, FieldType, Form, FormField } from './form.ts';
export {
  IDEMPOTENCY_KEY_HEADER, IDEMPOTENCY_REPLAYED_HEADER, type ListedPost, type NewPost, type Post, type PostAction,
  type PostConversation, type PostCounts, type PostCreated, type PostEdit, type PostEdited, type PostLike, type PostLiked,
  type PostList, type PostOrder, type PostState,
} from './posts.ts';
export { INSTANCE_PREFIX, PROBLEM_MEDIA_TYPE, PROBLEM_TYPE_PREFIX, problemTypes, referenceOf, refusalReason, REFUSALS, type Problem, type ProblemType } from './problem.ts';
export type { Notice, SessionState, SessionUser, SessionView, SyncOffer, User } from './session.ts';
export type { SyncCancellation, SyncDisplay, SyncOutcome, SyncReturn, SyncStart, SyncValidation } from './sync.ts';
export { countCodePoints, isBlank } from './text.ts';
