/**
 * The system document for one call of a model (P-01 – P-04): the parts for this role, audience and template, in reading
 * order, variables filled in once. The same input gives the same bytes, or no provider could cache them (P-21). Must
 * not hold the fixed identity or the rules: finalize places them. Called by cache.ts.
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
  /** What the task's template can do. */
  readonly needs: readonly Need[]
  /** A missing one is empty. */
  readonly variables: Readonly<Partial<Record<Variable, string>>>
}

export interface BuiltDocument {
  readonly text: string
  /** SHA-256 of the text, hex. */
  readonly hash: string
  /** Uncalibrated estimate. */
  readonly tokens: number
  /** The owner's own words or profile are in it: it bears their label. False: the program's text alone. */
  readonly personal: boolean
  readonly notices: readonly DocumentNotice[]
}

/**
 * Data: what fills a variable. Readers: role and audience. Rationale: a catalogue of tools is of use to who plans
 * the owner's rules and profile are about the owner, and are told to nobody else (P-07).
 */
const VARIABLE_READERS: Readonly<Record<Variable, VariableReaders>> = Object.freeze({
  TOOL_DEFINITIONS: { roles: ['plan'], audiences: AUDIENCES, personal: false },
  RULES: { roles: PURPOSES, audiences: ['owner'], personal: true },
  USER_PROFILE: { roles: PURPOSES, audiences: ['owner'], personal: true },
})

interface VariableReaders {
  readonly roles: readonly Purpose[]
  readonly audiences: readonly Audience[]
  /** Its value bears the owner's label. */
  readonly personal: boolean
}

const BRACES = /\{\{(\w+)\}\}/g

/** Total: what cannot be used of the owner's files is left out, and `notices` says so. */
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

/** One pass: a value that looks like a variable stays what it is. A line that ends up empty goes. */
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

/** Empty for whoever is no reader of it. */
function valueFor(name: string, { role, audience, variables }: DocumentRequest): string {
  const variable = VARIABLES.find((known) => known === name)
  if (variable === undefined) return ''
  const { roles, audiences } = VARIABLE_READERS[variable]
  return roles.includes(role) && audiences.includes(audience) ? (variables[variable] ?? '').trim() : ''
}
