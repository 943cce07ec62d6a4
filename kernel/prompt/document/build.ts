/**
 * Builds the system document for one model call (P-01 – P-04): the parts for this role, audience and template in reading order,
 * with variables filled in once. Equal input gives equal bytes; otherwise no provider could cache them (P-21). Must not contain
 * the fixed identity or the rules: finalize places them. Called by cache.ts.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Audience } from '../../self/section.ts'
import { PURPOSES, type Purpose } from '../mode.ts'
import { estimateTokens } from '../tokens.ts'
import { composeDocument, type DocumentNotice, type OwnersFiles } from './override.ts'
import {
  AUDIENCES,
  type DocumentPart,
  type Need,
  type SystemDocument,
  VARIABLES,
  type Variable,
} from './section.ts'

export interface DocumentSources {
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
