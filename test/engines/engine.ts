/** What the flow needs of a browser: windows, addresses, a script, and a click with the mouse. Scripts do the rest: they reach
 *  into shadow roots in every engine. */

export interface Engine {
  readonly name: string;
  /** Matches the `User-Agent` of this engine and of no other. */
  readonly userAgent: RegExp;
  launch(): Promise<EngineBrowser>;
}

/** A browser with a new profile and one window. */
export interface EngineBrowser extends AsyncDisposable {
  /** The open windows. The first one stays the first. */
  windows(): Promise<readonly EngineWindow[]>;
}

export interface EngineWindow {
  /** Does not change while the window is open. */
  readonly id: string;
  /** Puts the window in front of the others. */
  show(): Promise<void>;
  goTo(url: string): Promise<void>;
  /** Value of `expression` in the page. Rejects during a navigation. */
  evaluate(expression: string): Promise<unknown>;
  /** In pixels of the viewport. */
  clickAt(x: number, y: number): Promise<void>;
}
