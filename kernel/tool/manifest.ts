/**
 * What a tool declares, and the only shape in which the kernel calls one (I-01 – I-03). Manifests are code of
 * the kernel's side of the port: a tool cannot change its own guard. Called by tools, templates and the pipeline.
 */

import type { Doing } from '../features/deliveries/work-port.ts'
import type { FieldSpec, RecordSpec } from '../flow/field.ts'
import type { Json } from '../flow/json.ts'
import type { Compartment, Level } from '../flow/level.ts'
import type { Place } from '../flow/place.ts'
import type { Refusal, Result } from '../flow/verdict.ts'
import type { CapabilityToken } from '../task/capability.ts'
import type { ScopedHttp } from './http.ts'
import type { OfflineRow } from './offline.ts'

export interface ActionManifest {
  /** `email.list`: tool family and verb. */
  readonly id: string
  /** Kernel-authored; the planner reads it (I-09). One line. */
  readonly description: string
  readonly semantics: 'read' | 'write'
  readonly args: RecordSpec
  readonly output: FieldSpec
  /** Guard of every output field that names none. */
  readonly ceiling: Level
  readonly compartment: Compartment | null
  /** Clearance of the service that sees the arguments: `sensitive` for the owner's own account, `public` for a web site. */
  readonly reaches: Level
  /** A write's sink, such as `sink:calendar:owner`; null for reads. */
  readonly sink: string | null
  /** Of a write: what is so once it was done, as it is told after "Done at 13:05:"; a sentence without its capital. */
  readonly done?: string
  /** What templates may select it by, such as `mail:read`; `public:read` follows from the rest of the declaration alone. */
  readonly capability?: string
  /** What becomes of it while home is away (T-07); refused where nobody decided. */
  readonly offline?: OfflineRow
  /** What is told of it while it runs (C-32). */
  readonly progress?: string
  /** The same between the places, which tell each other words of a closed list alone. */
  readonly doing?: Doing
  /** Of a read: the request that it answers, by the name that extraction gives it, and the plan for it; of a template with `tool_plans`. */
  readonly answers?: { readonly intent: string; readonly steps: readonly Json[] }
  /** Of a read: the fields that a standing grant may open to others. */
  readonly shares?: readonly string[]
}

export interface ToolManifest {
  readonly name: string
  readonly version: string
  readonly ownerOnly: boolean
  /** Where it may run: credentialed tools run where the credential lives (I-08). */
  readonly places: readonly Place[]
  /** Exact hosts, or `*` for any public host that the owner named in his own words (web.read). */
  readonly network: readonly string[]
  /** Name of the credential that home unseals for one call, or null. */
  readonly credential: string | null
  /** How its owner comes by that credential; absent where he is never asked for it. */
  readonly connect?: ConnectSpec
  readonly actions: readonly ActionManifest[]
}

/** What the owner is told when a credential is asked of him (L-11, L-12); kernel-authored, so that nobody phishes with it. */
export interface ConnectSpec {
  /** Of the service, such as `Google`. */
  readonly title: string
  /** Where he gets it, and what it looks like: one or two sentences. */
  readonly where: string
  /** Source of an expression that a whole message must match to be taken for it (L-16). */
  readonly shape: string
}

/** A secret unsealed for exactly one call (E-06). Never logged, never part of a result. */
export interface Credential {
  readonly scheme: 'bearer'
  readonly value: string
}

/** All that a tool gets: no global fetch, no environment, no kernel. */
export interface ToolCall {
  readonly action: string
  readonly args: { readonly [key: string]: Json }
  readonly capability: CapabilityToken
  readonly credential: Credential | null
  readonly http: ScopedHttp
}

/** `output` is checked against the declaration; `level` may only raise the guard. */
export type ToolOutcome =
  | { readonly ok: true; readonly output: unknown; readonly level?: Level }
  | { readonly ok: false; readonly reason: Refusal }

export interface Tool {
  readonly manifest: ToolManifest
  execute(call: ToolCall): Promise<ToolOutcome>
  /**
   * One harmless call that tells whether the service takes a credential (L-18), and whose account it is where the service says. Refusals: remote_unauthorized or
   * remote_rejected where it does not; any other says nothing of the credential.
   */
  check?(call: { readonly credential: Credential; readonly http: ScopedHttp }): Promise<Result<string | null>>
  /** Only where the service can: exchanges the credential for a new one (E-11). Its refusals are the tool's own. */
  renew?(call: { readonly credential: Credential; readonly http: ScopedHttp }): Promise<Result<string>>
}
