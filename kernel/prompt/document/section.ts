/**
 * The system document as data: its sections in reading order (P-01), and who gets which part (P-12, P-13, X-24).
 * Must not read text. Called by everything in this folder and by callers that request a document.
 */
import type { Audience } from '../../self/section.ts'
import type { Purpose } from '../mode.ts'

/** Reading order: binding sections before stylistic ones. */
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

/** What a template must be able to do for a part to be included: change something; work on code. */
export const NEEDS = Object.freeze(['act', 'code'] as const)
export type Need = (typeof NEEDS)[number]

/** Filled in when a document is built. Any other name in double braces is refused. */
export const VARIABLES = Object.freeze(['TOOL_DEFINITIONS', 'RULES', 'USER_PROFILE'] as const)
export type Variable = (typeof VARIABLES)[number]

export interface DocumentPart {
  readonly roles: readonly Purpose[]
  readonly audiences: readonly Audience[]
  /** All of these must be met; empty: every template. */
  readonly needs: readonly Need[]
  /** Soft: the owner may replace it with text of their own. */
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
