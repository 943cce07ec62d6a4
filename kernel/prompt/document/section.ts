/**
 * The system document as data: its sections in reading order (P-01), and who gets which part of one (P-12, P-13, X-24).
 * Must not read text. Called by everything in this folder and by who asks for a document.
 */
import type { Audience } from '../../self/section.ts'
import type { Purpose } from '../mode.ts'

/** Reading order: what binds comes before what colours. */
export const SECTIONS = Object.freeze([
  'Security',
  'Identity',
  'Signal system',
  'Personality',
  'Tool policy',
  'Task management',
  'Doing tasks',
  'Git workflows',
  'Output formatting',
  'Proactiveness',
  'User profile',
] as const)
export type SectionName = (typeof SECTIONS)[number]

export const AUDIENCES: readonly Audience[] = Object.freeze(['owner', 'paired', 'public'] as const)

/** What a template must be able to do before a part is worth its tokens: change something; work on code. */
export const NEEDS = Object.freeze(['act', 'code'] as const)
export type Need = (typeof NEEDS)[number]

/** Filled in when a document is built; anything else in double braces is refused. */
export const VARIABLES = Object.freeze(['TOOL_DEFINITIONS', 'RULES', 'USER_PROFILE'] as const)
export type Variable = (typeof VARIABLES)[number]

export interface DocumentPart {
  readonly roles: readonly Purpose[]
  readonly audiences: readonly Audience[]
  /** All of them; empty: every template. */
  readonly needs: readonly Need[]
  /** Soft: the owner may put words of his own in its place. */
  readonly soft: boolean
  readonly text: string
}

export interface DocumentSection {
  readonly name: SectionName
  readonly parts: readonly DocumentPart[]
}

export interface SystemDocument {
  readonly sections: readonly DocumentSection[]
}
