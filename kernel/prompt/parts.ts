/**
 * The typed parts of a prompt: the request to `finalize`, and the opened parts that a model gets beside the text (DESIGN §4).
 * Two view builders make requests (plan, synthesize) and share no object (C-29).
 */

import type { DirectiveText } from '../directives/text.ts'
import type { Json } from '../flow/json.ts'
import type { Labeled } from '../flow/labeled.ts'
import type { Metadata } from '../flow/record.ts'
import type { SelfWords } from '../self/render.ts'
import type { Audience, SelfSection, SelfView } from '../self/section.ts'
import type { Picture } from '../task/picture.ts'
import type { NamedValues } from '../tool/manifest.ts'
import type { Block, BlockName } from './budget.ts'
import type { SystemDocument } from './document/parse.ts'
import type { Purpose } from './mode.ts'
import type { OverlayTexts } from './signal/signal.ts'

/** One tool as a planner sees it. */
export interface ToolCard {
  readonly id: string
  readonly description: string
  readonly semantics: 'read' | 'write'
  /** Argument name → kind, such as `date`. The name of an optional one ends in a question mark. */
  readonly args: Readonly<Record<string, string>>
  /** Names of its result's fields: `events[id, title, people[name]], more`. */
  readonly gives: string
  /** From the declaration. True: every prompt describes the tool. `room`: it is described if there is room. */
  readonly core?: true | 'room'
  /** Its service is not connected. */
  readonly unconnected?: true
  /** The owner has not yet configured anything that the tool could work on; its result says how to do that. */
  readonly idle?: true
  /** From the declaration: a prompt names only the tool's family, unless the tool is described. */
  readonly sought?: true
  /** The owner switched its service off: no prompt names it, and a plan by code that calls it is refused with an explanation. */
  readonly off?: true
  /** From the declaration: words by which a request finds the tool. */
  readonly terms?: readonly string[]
  /** More such words, from phrases as people type them, and examples of forms. */
  readonly finds?: readonly string[]
  /** From the declaration: names given by the owner, each of which asks for the tool. */
  readonly called?: { readonly argument: string; readonly names: readonly string[] }
  /** From the declaration: the owner's names for values of an argument. */
  readonly named?: NamedValues
  /** A search for tools found it. */
  readonly wanted?: true
  /** Its rank, from 0, among the tools that the words most likely ask for. */
  readonly likely?: number
  /** Absent: described in full, in the cached part of the prompt. `now`: described for this request. `named`: by name only. */
  readonly shown?: 'now' | 'named'
}

/** A record of this message, an earlier turn or a finished step, projected for planning. Contains no outside string. */
export interface MetadataView {
  /** `said`, `s1`, `w1`. */
  readonly root: string
  readonly action: string
  readonly fields: Metadata
}

/** Content for a model without tools: the whole record. */
export interface ContentView {
  readonly root: string
  readonly action: string
  readonly content: Json
}

/** What the answer must mention besides the results: a step that failed, was denied or was skipped. */
export interface TroubleView {
  readonly tool: string
  readonly reason: string
}

/** What a step looked for, in the person's own words; see `Sought`. For an answer by code; not part of any prompt. */
export interface SoughtView {
  readonly root: string
  readonly action: string
  readonly missed: boolean
  /** It searched the rows of an earlier answer. */
  readonly earlier: boolean
  readonly asked: Json
}

export interface OutputView {
  readonly sink: string
  readonly maxChars: number
  readonly format: 'plain'
  readonly timezone: string
  /** Local date and time of the person, `YYYY-MM-DDTHH:MM`. */
  readonly now: string
}

/**
 * Position of a directive file (O-01, X-01): before the cache break; after it with the session's part; among the system's last
 * lines; or in the part for this call.
 */
export type DirectivePlace = 'stable' | 'session' | 'last' | 'dynamic'

/** A dynamic block before its reader is known. */
export interface LabeledBlock {
  readonly name: BlockName
  readonly value: Labeled<string>
}

/** Before opening: every part that can hold data is labelled. */
export interface PromptRequest {
  readonly purpose: Purpose
  /** Whose prompt it is. Decides what it may say about the assistant and the owner. */
  readonly audience: Audience
  readonly self: SelfView
  /** The system document, fullest version first. The router uses the first that a model may read. */
  readonly document: readonly Labeled<string>[]
  /** The owner's files that this prompt includes (O-01 – O-04). */
  readonly directives: readonly { readonly place: DirectivePlace; readonly value: Labeled<DirectiveText> }[]
  /** Blocks for this call, each at most once. The router leaves out those that a model may not read (P-15). */
  readonly blocks: readonly LabeledBlock[]
  /** The owner's own words, or the template's static description for anyone else (B-38, C-08). */
  readonly request: Labeled<string>
  readonly history: Labeled | null
  /** True if the first line of the history is a summary of earlier turns. */
  readonly summarised?: boolean
  readonly metadata: readonly { readonly root: string; readonly action: string; readonly fields: Labeled }[]
  readonly contents: readonly {
    readonly root: string
    readonly action: string
    readonly content: Labeled
    /** Text of a plan, which contains no text by others. */
    readonly planned?: true
  }[]
  /** The picture for a vision model. A provider sends it beside the text. */
  readonly picture?: Labeled<Picture>
  readonly tools: readonly ToolCard[]
  readonly troubles: readonly TroubleView[]
  readonly sought?: readonly (Omit<SoughtView, 'asked'> & { readonly asked: Labeled })[]
  /** What to write or to decide, with the closed options of a classification; null where the role text is enough. */
  readonly question: Labeled<{ readonly instruction: string; readonly options: readonly string[] }> | null
  readonly output: OutputView
}

/** After opening, at the same clearance as the text. */
export interface PromptParts {
  readonly purpose: Purpose
  readonly audience: Audience
  /** What this model may know about the assistant. `version` identifies the snapshot it comes from (M-16). */
  readonly self: { readonly version: string; readonly sections: readonly SelfSection[] }
  readonly document: string
  readonly directives: readonly ({ readonly place: DirectivePlace } & DirectiveText)[]
  readonly blocks: readonly Block[]
  readonly request: string
  readonly history: readonly string[]
  readonly summarised?: boolean
  readonly metadata: readonly MetadataView[]
  readonly contents: readonly ContentView[]
  readonly picture?: Picture
  readonly tools: readonly ToolCard[]
  readonly troubles: readonly TroubleView[]
  readonly sought?: readonly SoughtView[]
  readonly instruction: string | null
  readonly options: readonly string[]
  readonly output: OutputView
}

/** Texts from `templates/prompts`, loaded by each place and passed in. */
export interface PromptTexts {
  readonly identity: string
  readonly rules: string
  readonly lastRules: string
  readonly self: SelfWords
  /** The program's own system document (P-01). */
  readonly document: SystemDocument
  readonly overlay: OverlayTexts
  readonly roles: Readonly<Record<Purpose, string>>
}
