/**
 * Declares the kernel effects that change memory: one fact is forgotten or replaced, as by the owner's own sentence. Data only.
 * Joined in powers/home-actions.ts, because only home has a planner that may read facts.
 */
import { type ActionManifest, DEGRADE } from '../../tool/manifest.ts'

/** Maximum UTF-16 units of the words that name a fact, and of its new text. */
const TEXT_MAX = 2_000
const TEXT = { kind: 'text', max: TEXT_MAX } as const
const WHICH = { which: TEXT } as const

const SHARED = {
  compartment: null,
  ceiling: 'public',
  reaches: 'regulated',
  offline: { policy: DEGRADE, why: 'home has facts of its own, and is not asked for them from elsewhere' },
} as const

/** The card shows the fact as it is now, and an approval covers only that version. */
const LOOK = { by: 'memory.which', given: { which: 'which' }, binds: ['row'] } as const
const REMARKS = { fact: 'what I remember' } as const

/** `sink`: the sink of home's memory. */
export function memoryChanges(sink: string): readonly ActionManifest[] {
  return [
    {
      ...SHARED,
      id: 'memory.which',
      semantics: 'read',
      doing: 'looking_in_memory',
      description: 'The one fact of these words.',
      progress: 'looking in memory',
      args: { kind: 'record', fields: WHICH },
      output: { kind: 'record', fields: { fact: TEXT, row: { kind: 'id' } } },
      sink: null,
    },
    {
      ...SHARED,
      id: 'memory.forget',
      semantics: 'write',
      doing: 'noting',
      terms: ['forget', 'remember', 'vergiss', 'vergessen', 'merken', 'gemerkt'],
      description: 'Forget one fact, by words of it.',
      progress: 'forgetting something',
      card: { ask: 'Forget this.', remarks: REMARKS },
      remarks: LOOK,
      args: { kind: 'record', fields: WHICH },
      output: { kind: 'record', fields: { forgotten: TEXT } },
      sink,
    },
    {
      ...SHARED,
      id: 'memory.correct',
      semantics: 'write',
      doing: 'noting',
      terms: ['wrong', 'remember', 'actually', 'changed', 'falsch', 'stimmt', 'gemerkt', 'geändert'],
      description: 'A fact, by words of it (which), says this text instead.',
      progress: 'correcting something',
      card: { ask: 'Remember this in place of what I remember.', remarks: REMARKS },
      remarks: LOOK,
      args: { kind: 'record', fields: { ...WHICH, text: TEXT } },
      output: { kind: 'record', fields: { text: TEXT, before: TEXT } },
      sink,
    },
  ]
}
