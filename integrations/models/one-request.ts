/**
 * Sends the one HTTP request of a model call, as JSON; the provider's own library parses the response. The libraries' own
 * clients are not used: they are four times the size of the parts in use (docs/decisions/025). Must not retry. Extended by the
 * adapters' clients.
 */
import type { ProviderFetch } from './provider-fetch.ts'

export interface ClientOptions {
  /** Base URL, to which the path of the request is appended. */
  readonly baseURL: string
  readonly fetch: ProviderFetch
}

/** Placeholder for the key; the fetch replaces it with the real one. */
const PLACEHOLDER = 'added-behind'

interface Answered {
  readonly response: Response
  /** Aborts the request when the reader leaves the stream early. */
  readonly controller: AbortController
}

/** Passed to a library's stream parser in place of a client; without it, the parser logs what it cannot parse. */
export const SILENT = Object.freeze({ logLevel: 'off' })

export abstract class OneRequest {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Returns the library's error for a failed response; `said` is its body, null if that is not JSON. */
  protected abstract refused(response: Response, said: unknown): Error

  /** Throws the error of `refused` for a failed response, and whatever the fetch throws. */
  protected async post(path: string, body: object): Promise<Answered> {
    const { baseURL, fetch } = this.#options
    const controller = new AbortController()
    const response = await fetch(`${baseURL.replace(/\/$/, '')}${path}`, {
      method: 'POST',
      headers: {
        ...{ accept: 'application/json', 'content-type': 'application/json' },
        authorization: `Bearer ${PLACEHOLDER}`,
      },
      body: JSON.stringify(body),
      signal: controller.signal,
    })
    if (response.ok) return { response, controller }
    throw this.refused(response, await response.json().catch(() => null))
  }
}
