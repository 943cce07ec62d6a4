/**
 * Builds and caches the system document of a model call (P-01 – P-05, P-21): the parts for a role, audience and template in
 * reading order. Equal input gives equal bytes, and the cache's key covers all input, so there is no clock and no invalidation.
 * Must not contain the fixed identity or the rules, which finalize places, or read files. Called by each place.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson, type Json } from '../../flow/json.ts'
import type { Audience } from '../../self/section.ts'
import { estimateTokens } from '../budget.ts'
import { PURPOSES, type Purpose } from '../mode.ts'
import {
  AUDIENCES,
  composeDocument,
  type DocumentNotice,
  type DocumentPart,
  type Need,
  type OwnersFiles,
  type SystemDocument,
  VARIABLES,
  type Variable,
} from './parse.ts'

interface DocumentSources {
  readonly bundled: SystemDocument
  readonly files: OwnersFiles
}

export interface DocumentRequest {
  readonly role: Purpose
  readonly audience: Audience
  /** Capabilities of the task's template. */
  readonly needs: readonly Need[]
  /** Missing values are empty. */
  readonly variables: Readonly<Partial<Record<Variable, string>>>
}

export interface BuiltDocument {
  readonly text: string
  /** SHA-256 of the text, hex. */
  readonly hash: string
  /** Uncalibrated estimate. */
  readonly tokens: number
  /** True if the owner's own text or profile is in it, so that it carries the owner's label. False: the program's text only. */
  readonly personal: boolean
  readonly notices: readonly DocumentNotice[]
}

/**
 * Data: values of variables. Readers: by role and audience. Rationale: only a planner needs the tool catalogue; the
 * owner's rules and profile are about the owner and are shown to nobody else (P-07).
 */
const VARIABLE_READERS: Readonly<Record<Variable, VariableReaders>> = Object.freeze({
  TOOL_DEFINITIONS: { roles: ['plan'], audiences: AUDIENCES, personal: false },
  RULES: { roles: PURPOSES, audiences: ['owner'], personal: true },
  USER_PROFILE: { roles: PURPOSES, audiences: ['owner'], personal: true },
})

interface VariableReaders {
  readonly roles: readonly Purpose[]
  readonly audiences: readonly Audience[]
  /** True if the value carries the owner's label. */
  readonly personal: boolean
}

const BRACES = /\{\{(\w+)\}\}/g

/** Never fails: unusable parts of the owner's files are left out and listed in `notices`. */
export function buildDocument({ bundled, files }: DocumentSources, request: DocumentRequest): BuiltDocument {
  const { document, own, notices } = composeDocument(bundled, files)
  const sections = document.sections.map(({ name, parts }) => {
    const given = parts.filter((part) => isFor(part, request))
    const text = given
      .map((part) => fillIn(part.text, request))
      .filter((filled) => filled !== '')
      .join('\n')
    return { text: text === '' ? '' : `## ${name}\n${text}`, given }
  })
  const text = sections
    .map((section) => section.text)
    .filter((one) => one !== '')
    .join('\n\n')
  const given = sections.flatMap((section) => section.given)
  return {
    text,
    hash: bytesToHex(sha256(utf8ToBytes(text))),
    tokens: estimateTokens(text),
    personal: given.some((part) => own.includes(part) || namesPersonal(part.text, request)),
    notices,
  }
}

function isFor(part: DocumentPart, { role, audience, needs }: DocumentRequest): boolean {
  return (
    part.roles.includes(role) &&
    part.audiences.includes(audience) &&
    part.needs.every((need) => needs.includes(need))
  )
}

/** One pass: a value that looks like a variable is not expanded. A line that ends up empty is dropped. */
function fillIn(text: string, request: DocumentRequest): string {
  return text
    .split('\n')
    .map((line) => ({ line, filled: line.replace(BRACES, (_, name: string) => valueFor(name, request)) }))
    .filter(({ line, filled }) => line === filled || filled.trim() !== '')
    .map(({ filled }) => filled)
    .join('\n')
    .trim()
}

function namesPersonal(text: string, request: DocumentRequest): boolean {
  return [...text.matchAll(BRACES)].some(
    ([, name]) =>
      VARIABLES.some((known) => known === name && VARIABLE_READERS[known].personal) &&
      valueFor(name ?? '', request) !== '',
  )
}

/** Empty if role or audience may not read it. */
function valueFor(name: string, { role, audience, variables }: DocumentRequest): string {
  const variable = VARIABLES.find((known) => known === name)
  if (variable === undefined) return ''
  const { roles, audiences } = VARIABLE_READERS[variable]
  return roles.includes(role) && audiences.includes(audience) ? (variables[variable] ?? '').trim() : ''
}

/** Maximum number of documents. Each sender has a key of their own, and senders must not fill the memory. */
export const MAX_CACHED = 64

export interface CachedRequest extends DocumentRequest {
  /** The principal of the prompt: nobody gets a document that was built for another (P-07). */
  readonly principal: string
}

interface Loaded {
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
