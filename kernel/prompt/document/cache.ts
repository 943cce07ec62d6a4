/**
 * Built documents, kept until something that they were built from changes (P-02, P-05, P-07, X-13): under the hash of
 * the sources, the role, the audience, the principal, the template's needs and the values. Content decides, so there is
 * no clock and nothing to invalidate. Must not read files. Called by each place, one an isolate.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson, type Json } from '../../flow/json.ts'
import { type BuiltDocument, buildDocument, type DocumentRequest, type DocumentSources } from './build.ts'

/** Documents. Everyone who writes has a key of his own: strangers must not fill the memory. */
export const MAX_CACHED = 64

export interface CachedRequest extends DocumentRequest {
  /** Whose prompt this is: nobody is served from what was built for another (P-07). */
  readonly principal: string
}

export interface Loaded {
  /** SHA-256 of the sources, hex. */
  readonly hash: string
  /** They are others than before. */
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

  /** What `/reload` does with files that were read again. The same content keeps what was built. */
  reload(sources: DocumentSources): Loaded {
    const hash = hashOf(sources)
    const changed = hash !== this.#hash
    if (changed) {
      this.#sources = sources
      this.#hash = hash
      // The key has the hash of the sources: this only frees what nobody will ask for again.
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
