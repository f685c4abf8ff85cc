/** The reader's actions beyond the main button. */
export interface CommentsActions {
  signIn(): void;
  requestSignOut(): void;
  signOut(): void;
  stopRetrying(): void;
  confirmPosted(): void;
  postAgain(): void;
  leavePage(): void;
  /** Whether the form in the box may leave the page without the reader's click. */
  mayLeave(): boolean;
  dismiss(): void;
  refuseCallback(): void;
  cancelSync(): void;
  closeForm(): void;
  onFormState(event: Event): void;
  onFormCompleted(event: Event): void;
  discardDraft(): void;
  insertOther(): void;
  removeOther(): void;
}
