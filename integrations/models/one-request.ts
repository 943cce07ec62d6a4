/**
 * The one request of a call to a provider, as JSON over the fetch of that call; the provider's own library reads what comes back. The
 * clients of the libraries weigh four times what is used of them (docs/decisions/025). Must not ask twice. Extended by the adapters' clients.
 */
import type { ProviderFetch } from './provider-fetch.ts'

export interface ClientOptions {
  /** What stands before the path of the request. */
  readonly baseURL: string
  readonly fetch: ProviderFetch
}

/** Placeholder for the key; the fetch adds the real one. */
const PLACEHOLDER = 'added-behind'

interface Answered {
  readonly response: Response
  /** Ends the request when its stream is left. */
  readonly controller: AbortController
}

/** In place of a client, for a library's reader: without one it would print what it cannot parse. */
export const SILENT = Object.freeze({ logLevel: 'off' })

export abstract class OneRequest {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** The library's error for an answer that is none; `said` is its body, null if it is no JSON. */
  protected abstract refused(response: Response, said: unknown): Error

  /** Throws what `refused` gives, and what the fetch throws. */
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
