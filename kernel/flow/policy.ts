/**
 * The policy engine: every flow decision as a pure function of plain data (S001 §6.2, A-47). Without a matching rule the answer
 * is deny. Must not read a clock, hold state or format words. Called by the pipeline and the unwrap sites.
 */
import { atomFacts, type Clearance, checkClearance, clears, reasonFor } from './clearance.ts'
import { type FlowGrant, findFlowGrant, type WriteGrant } from './grant.ts'
import { type Atom, isAtOrBelow, type Label } from './label.ts'
import { type Level, maxLevel, rankOf } from './level.ts'
import { checkPlace, type Place } from './place.ts'
import {
  type AllowList,
  findLinkedChats,
  type LinkedChats,
  listsFor,
  matchesPattern,
  ownWordsOrigin,
  type Sink,
} from './sink.ts'
import { joinTaints, type Taint } from './taint.ts'
import { deny, denyOnThrow, permit, type Verdict } from './verdict.ts'

/** The owner's decisions as one immutable value. Required by every check that depends on them. */
export interface Policy {
  /** Principal id of the owner. */
  readonly owner: string
  readonly sinks: readonly Sink[]
  readonly allowLists: readonly AllowList[]
  readonly flowGrants: readonly FlowGrant[]
  readonly writeGrants: readonly WriteGrant[]
  /** Pairs of chats with one reader, from live identity links. */
  readonly linkedChats: readonly LinkedChats[]
}

export interface EgressRequest {
  readonly label: Label
  readonly sink: string
  readonly template: string
  /** Epoch milliseconds. */
  readonly now: number
}

export interface ModelReader extends Clearance {
  readonly id: string
  /** `home`: prompt and answer stay on the owner's machine. `cloud`: another company reads the prompt. */
  readonly locality: 'home' | 'edge' | 'cloud'
}

export interface ToolReader {
  readonly tool: string
  readonly place: Place
  /** Ceiling of the calling task. */
  readonly ceiling: Clearance
}

/** No read up: a task may hold only what its ceiling covers. */
export function checkRead(ceiling: Clearance, label: Label): Verdict {
  return denyOnThrow(() => checkClearance(ceiling, label, 'ceiling_exceeded'))
}

/**
 * No write down: every atom must pass this sink by level, as the words of its only reader from this chat or a linked one, or by
 * a live grant (A-05, A-41 – A-43, F-15, DESIGN §1). An unknown sink accepts public data only. A permit names each rule it
 * used, `grant:<id>` included: for the audit row, and so that the grant store counts the use.
 */
export function checkEgress(policy: Policy, request: EgressRequest): Verdict {
  return denyOnThrow(() => {
    const sink = policy.sinks.find((candidate) => candidate.id === request.sink)
    const rules = new Set<string>()
    for (const atom of request.label.atoms) {
      const verdict = checkAtom(policy, request, sink, atom)
      if (!verdict.allow) return verdict
      rules.add(verdict.by)
    }
    return permit(rules.size === 0 ? 'nothing_guarded' : [...rules].sort().join('+'))
  })
}

/**
 * Data: prompts. Readers: model providers. Rationale: the joined label of the whole prompt decides (D-06), and `regulated`
 * stays at home whatever a provider's configuration says.
 */
export function checkModel(model: ModelReader, label: Label): Verdict {
  return denyOnThrow(() => {
    if (model.locality !== 'home') {
      const regulated = label.atoms.find((atom) => atom.level === 'regulated' || atom.compartment !== null)
      if (regulated !== undefined) return deny('model_not_cleared', atomFacts(regulated, model))
    }
    return checkClearance(model, label, 'model_not_cleared')
  })
}

/** Data: arguments of a call. Readers: a tool at a place, inside a task. Rationale: tool and task must both be cleared. */
export function checkTool(reader: ToolReader, label: Label): Verdict {
  return denyOnThrow(() => {
    const atPlace = checkPlace(reader.place, label)
    return atPlace.allow ? checkRead(reader.ceiling, label) : atPlace
  })
}

/** One argument of a write as the taint rule sees it: without its value. */
export interface WriteArgument {
  readonly taint: Taint
  readonly freeText: boolean
}

export interface WriteRequest {
  readonly arguments: readonly WriteArgument[]
  /** Taints of every `when` and `select` that decides whether this write runs (DESIGN §3). */
  readonly control: readonly Taint[]
  /** Number of destinations that are not typed by the owner, a contact, or covered by a grant. */
  readonly unknownDestinations: number
  /** The template's `require_approval_for_writes`. */
  readonly templateAsks: boolean
}

/**
 * The graduated taint rule and the destination rule (DESIGN §2). A denial with one of the four `write_*` codes
 * means: ask the owner. An empty argument list joins to clean.
 */
export function checkWrite(request: WriteRequest): Verdict {
  return denyOnThrow(() => {
    const { level } = joinTaints(...request.arguments.map((argument) => argument.taint), ...request.control)
    if (level === 'raw') return deny('write_raw')
    if (level !== 'clean' && request.arguments.some((argument) => argument.freeText))
      return deny('write_free_text')
    if (request.unknownDestinations !== 0) return deny('write_unknown_destination')
    if (request.templateAsks) return deny('write_template_asks')
    return permit(level === 'clean' ? 'clean' : 'structured_only')
  })
}

/** Level of a result: the kernel's level for the field, raised by a higher level that the tool reports. */
export function applyCeiling(kernelLevel: Level, reported: Level | undefined): Level {
  return reported === undefined ? kernelLevel : maxLevel(kernelLevel, reported)
}

/** A label never goes down: a new label for the same datum must guard at least as much. */
export function checkRelabel(from: Label, to: Label): Verdict {
  return denyOnThrow(() => (isAtOrBelow(from, to) ? permit('raised') : deny('label_lowered')))
}

function checkAtom(policy: Policy, request: EgressRequest, sink: Sink | undefined, atom: Atom): Verdict {
  if (atom.level === 'secret') return deny('secret_has_no_reader', { origin: atom.origin })
  if (sink === undefined) {
    return rankOf(atom.level) === 0 && atom.compartment === null
      ? permit('public')
      : deny('sink_unknown', { sink: request.sink })
  }
  if (sink.audience === 'sole' && atom.origin === ownWordsOrigin(sink.id)) return permit('own_words')
  const linked = findLinkedChats(policy.linkedChats, atom, sink)
  if (linked !== undefined) return permit(`link:${linked.link}`)
  const grant = findFlowGrant(policy.flowGrants, atom, request)
  if (grant !== undefined) return permit(`grant:${grant.id}`)
  if (!clears(sink, atom))
    return deny(reasonFor(sink, atom, 'write_down'), { sink: sink.id, ...atomFacts(atom, sink) })
  const lists = listsFor(policy.allowLists, atom)
  const inEveryList = lists.every((list) => list.patterns.some((p) => matchesPattern(p, sink, policy.owner)))
  return inEveryList
    ? permit('clearance')
    : deny('sink_not_in_allow_list', { sink: sink.id, level: atom.level })
}
