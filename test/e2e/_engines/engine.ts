/** A browser engine as the ways of a reader need it, and no more: windows, addresses, a script, and a click that the browser
 *  takes for a person's. A driver an engine; everything else is done by scripts, which reach into shadow roots everywhere. */

export interface Engine {
  readonly name: string;
  /** What the browser calls itself, and no other engine does. */
  readonly userAgent: RegExp;
  /** Whether an import that failed is requested again; otherwise it fails until the page is loaded again. */
  readonly repeatsFailedImports: boolean;
  launch(): Promise<EngineBrowser>;
}

export interface EngineBrowser extends AsyncDisposable {
  /** A reader with a profile of their own and one window. */
  reader(): Promise<EngineReader>;
}

export interface EngineReader extends AsyncDisposable {
  /** The windows that are open now, the first one first. */
  windows(): Promise<readonly EngineWindow[]>;
}

export interface EngineWindow {
  /** The same for as long as the window is open. */
  readonly id: string;
  /** Puts it before the others. */
  show(): Promise<void>;
  goTo(url: string): Promise<void>;
  /** What `expression` comes to in the page. Rejects while the page is on its way to another address. */
  evaluate(expression: string): Promise<unknown>;
  /** With the mouse, in pixels of the viewport. */
  clickAt(x: number, y: number): Promise<void>;
}
