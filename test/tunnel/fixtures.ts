/** Sample bodies and an in-memory channel store that can crash between any two writes. For the tunnel tests. */

import type { HomeAnswer, HomeCall, OpenMemory } from '../../kernel/features/places/home-port.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { CLEAN } from '../../kernel/flow/taint.ts'
import type { ChannelStore, OutRow, Waiting } from '../../kernel/tunnel/channel.ts'
import { type Body, type Carried, frameBytes } from '../../kernel/tunnel/frame.ts'
import type { StoredPiece } from '../../kernel/tunnel/piece.ts'
import type { EdgeFiles } from '../../sidecar/tunnel/tunnel-files.ts'
import type { BothLinesEnd } from '../../sidecar/tunnel/tunnel-inbox.ts'
import type { Lender } from '../../sidecar/tunnel/tunnel-models.ts'
import { TOLD_NOTHING } from '../fakes/self.ts'

/** A home that answers nowhere but at home. */
export const NO_BOTH_LINES: BothLinesEnd = {
  takeMessage: async () => undefined,
  cardWaits: () => undefined,
  unsent: () => undefined,
  handover: { attach: () => undefined, detach: () => undefined, take: () => undefined },
}

/** What a home tells at each connection that has nothing else to tell. */
export function homeFacts(timezone: string, key = 'k'.repeat(43)): readonly Body[] {
  return [
    { type: 'profile', timezone },
    { type: 'self', self: TOLD_NOTHING },
    { type: 'seal_key', key },
    { type: 'links', links: [] },
    { type: 'grants', grants: [] },
    { type: 'people', people: [] },
  ]
}

/** A home that has no model to lend. */
export const NO_LENDER: Lender = {
  attach: () => undefined,
  detach: () => undefined,
  take: () => undefined,
  stop: () => undefined,
}

const PROVENANCE = { label: { atoms: [] }, taint: CLEAN }

/** A home that reads no file for the edge. */
export const NO_FILES: EdgeFiles = {
  attach: () => undefined,
  detach: () => undefined,
  take: () => undefined,
}

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

export function homeAnswer(id: string, output: Json = { slots: [] }): HomeAnswer {
  return {
    id,
    task: 't1',
    step: 0,
    ok: true,
    output,
    label: 'internal',
    inputs: PROVENANCE,
    reported: null,
  }
}

export function answerBody(id: string, output: Json): Body {
  return { type: 'home_answer', answer: homeAnswer(id, output) }
}

export function callBody(id: string): Body {
  return { type: 'home_call', call: homeCall(id) }
}

export function openMemory(id: string, text = 'the locker is 12'): OpenMemory {
  const guard = { label: { atoms: [] }, taint: { level: 'clean', origins: [], touchedBy: [] } }
  return { id, principal: 'principal:owner', what: 'fact', at: 1, content: { text, ...guard } }
}

/** A row as the channel makes it of a body that fits one frame. */
export function outRow(seq: number, body: Carried): OutRow {
  return { seq, bytes: frameBytes(body), body }
}

export class Crash extends Error {}

/** Survives its process: `fuse` counts writes down and throws before the one that would have been next. */
export class MemoryChannelStore implements ChannelStore {
  fuse = Number.POSITIVE_INFINITY
  #last = 0
  #received = 0
  #rows = new Map<number, OutRow>()
  #pieces = new Map<number, StoredPiece & { readonly text: string }>()

  allocate(): number {
    return this.#last + 1
  }
  putOut(rows: readonly OutRow[]): void {
    this.#burn()
    for (const row of rows) this.#rows.set(row.seq, row)
    this.#last = Math.max(this.#last, rows.at(-1)?.seq ?? 0)
  }
  out(after: number, most?: number): readonly { readonly seq: number; readonly body: Carried }[] {
    return this.#waiting(after)
      .slice(0, most)
      .map(({ seq, body }) => ({ seq, body }))
  }
  sizes(most: number): readonly Omit<OutRow, 'body'>[] {
    return this.#waiting(0)
      .slice(0, most)
      .map(({ seq, bytes }) => ({ seq, bytes }))
  }
  waiting(): Waiting {
    const rows = this.#waiting(0)
    return { count: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) }
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
  putPiece(piece: StoredPiece, text: string): void {
    this.#burn()
    this.#pieces.set(piece.seq, { ...piece, text })
  }
  pieces(): readonly StoredPiece[] {
    return [...this.#pieces.values()].map(({ text: _, ...piece }) => piece)
  }
  texts(first: number, last: number): readonly string[] {
    return Array.from({ length: last - first + 1 }, (_, n) => {
      const found = this.#pieces.get(first + n)
      if (found === undefined) throw new Error(`no piece ${first + n}`)
      return found.text
    })
  }
  dropPieces(upTo: number): void {
    this.#burn()
    for (const seq of this.#pieces.keys()) if (seq <= upTo) this.#pieces.delete(seq)
  }
  #waiting(after: number): readonly OutRow[] {
    return [...this.#rows.values()].filter(({ seq }) => seq > after).sort((a, b) => a.seq - b.seq)
  }
  #burn(): void {
    if (this.fuse-- <= 0) throw new Crash()
  }
}
