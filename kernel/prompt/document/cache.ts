/**
 * Cache of built documents (P-02, P-05, P-07, X-13), keyed by the hash of the sources, the role, the audience, the principal,
 * the template's needs and the values. The key covers all input, so there is no clock and no invalidation. Must not read files.
 * Called by each place; one cache per isolate.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson, type Json } from '../../flow/json.ts'
import { type BuiltDocument, buildDocument, type DocumentRequest, type DocumentSources } from './build.ts'

/** Maximum number of documents. Each sender has a key of their own, and senders must not fill the memory. */
export const MAX_CACHED = 64

export interface CachedRequest extends DocumentRequest {
  /** The principal of the prompt: nobody gets a document that was built for another (P-07). */
  readonly principal: string
}

export interface Loaded {
  /** SHA-256 of the sources, hex. */
  readonly hash: string
  /** The sources differ from the previous ones. */
  readonly changed: boolean
}

export class DocumentCache {
  #sources: DocumentSources
  #hash: string
  readonly #built = new Map<string, BuiltDocument>()
  readonly #build: typeof buildDocument

  constructor(sources: DocumentSources, build: typeof buildDocument = buildDocument) {
    this.#sources = sources
    this.#hash = hashOf(sources)
    this.#build = build
  }

  /** Called by `/reload` with files that were read again. Equal content retains the cached documents. */
  reload(sources: DocumentSources): Loaded {
    const hash = hashOf(sources)
    const changed = hash !== this.#hash
    if (changed) {
      this.#sources = sources
      this.#hash = hash
      // The key contains the hash of the sources. This only frees entries that cannot be hit any more.
      this.#built.clear()
    }
    return { hash, changed }
  }

  get(request: CachedRequest): BuiltDocument {
    const key = keyOf(this.#hash, request)
    const known = this.#built.get(key)
    if (known !== undefined) return known
    const built = Object.freeze(this.#build(this.#sources, request))
    const [oldest] = this.#built.keys()
    if (this.#built.size >= MAX_CACHED && oldest !== undefined) this.#built.delete(oldest)
    this.#built.set(key, built)
    return built
  }
}

function hashOf({ bundled, files }: DocumentSources): string {
  const content: Json = [JSON.stringify(bundled), files.system, files.identity, files.soul]
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(content))))
}

function keyOf(sources: string, { role, audience, principal, needs, variables }: CachedRequest): string {
  return canonicalJson([sources, role, audience, principal, [...needs].sort(), { ...variables }])
}
