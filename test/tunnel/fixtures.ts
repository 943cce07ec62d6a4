/** Sample bodies and an in-memory channel store that can crash between any two writes. For the tunnel tests. */
import { CLEAN } from '../../kernel/flow/taint.ts'
import type { HomeAnswer, HomeCall, OpenMemory } from '../../kernel/powers/ports.ts'
import type { ChannelStore } from '../../kernel/tunnel/channel.ts'
import type { Body } from '../../kernel/tunnel/frame.ts'

const PROVENANCE = { label: { atoms: [] }, taint: CLEAN }

export function homeCall(id: string, over: Partial<HomeCall> = {}): HomeCall {
  return {
    id,
    task: 't1',
    step: 0,
    trace: 'tr1',
    template: 'owner_open',
    principal: 'principal:owner',
    tool: 'calendar.freebusy',
    args: { from: '2026-11-02' },
    provenance: PROVENANCE,
    deadline: 1_000,
    ...over,
  }
}

export function homeAnswer(id: string): HomeAnswer {
  return {
    id,
    task: 't1',
    step: 0,
    ok: true,
    output: { slots: [] },
    label: 'internal',
    inputs: PROVENANCE,
    reported: null,
  }
}

export function callBody(id: string): Body {
  return { type: 'home_call', call: homeCall(id) }
}

export function openMemory(id: string, text = 'the locker is 12'): OpenMemory {
  const guard = { label: { atoms: [] }, taint: { level: 'clean', origins: [], touchedBy: [] } }
  return { id, principal: 'principal:owner', what: 'fact', at: 1, content: { text, ...guard } }
}

export class Crash extends Error {}

/** Survives its process: `fuse` counts writes down and throws before the one that would have been next. */
export class MemoryChannelStore implements ChannelStore {
  fuse = Number.POSITIVE_INFINITY
  #last = 0
  #received = 0
  #rows = new Map<number, Body>()

  allocate(): number {
    return this.#last + 1
  }
  putOut(seq: number, body: Body): void {
    this.#burn()
    this.#rows.set(seq, body)
    this.#last = Math.max(this.#last, seq)
  }
  out(after: number, most?: number): readonly { readonly seq: number; readonly body: Body }[] {
    return [...this.#rows]
      .filter(([seq]) => seq > after)
      .sort(([a], [b]) => a - b)
      .slice(0, most)
      .map(([seq, body]) => ({ seq, body }))
  }
  dropOut(upTo: number): void {
    this.#burn()
    for (const seq of this.#rows.keys()) if (seq <= upTo) this.#rows.delete(seq)
  }
  received(): number {
    return this.#received
  }
  setReceived(seq: number): void {
    this.#burn()
    this.#received = seq
  }
  #burn(): void {
    if (this.fuse-- <= 0) throw new Crash()
  }
}
