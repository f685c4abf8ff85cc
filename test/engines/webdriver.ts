/** A client of WebDriver (W3C): the commands that the flow needs. */

export class WebDriverSession implements AsyncDisposable {
  readonly #url: string;

  private constructor(url: string) {
    this.#url = url;
  }

  /** @param driver address of the driver */
  static async start(driver: string, capabilities: object): Promise<WebDriverSession> {
    const { sessionId } = await send('POST', `${driver}/session`, { capabilities: { alwaysMatch: capabilities } }) as { sessionId: string };
    return new WebDriverSession(`${driver}/session/${sessionId}`);
  }

  async windowHandles(): Promise<readonly string[]> {
    return await send('GET', `${this.#url}/window/handles`) as readonly string[];
  }

  async switchTo(handle: string): Promise<void> {
    await this.#post('window', { handle });
  }

  async navigateTo(url: string): Promise<void> {
    await this.#post('url', { url });
  }

  execute(script: string): Promise<unknown> {
    return this.#post('execute/sync', { script, args: [] });
  }

  /** Clicks with the mouse. */
  async clickAt(x: number, y: number): Promise<void> {
    await this.#post('actions', { actions: [{
      type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' },
      actions: [{ type: 'pointerMove', x, y, duration: 0 }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }],
    }] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await send('DELETE', this.#url);
  }

  #post(command: string, parameters: object): Promise<unknown> {
    return send('POST', `${this.#url}/${command}`, parameters);
  }
}

/** @throws {Error} with the driver's error and message */
async function send(method: string, url: string, parameters?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(parameters && { body: JSON.stringify(parameters) }) });
  const { value } = await response.json() as { value: { error?: string; message?: string } | null };
  if (!response.ok) throw new Error(`WebDriver, ${method} ${new URL(url).pathname}: ${value?.error}: ${value?.message}`);
  return value;
}
