/**
 * The declaration of a tool, and the only form in which the kernel calls one (I-01 – I-03). Manifests are code on the kernel's
 * side of the port: a tool cannot change its own guard. Called by tools, templates and the pipeline.
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
  /** Written by the kernel's side; the planner reads it (I-09). One line. */
  readonly description: string
  readonly semantics: 'read' | 'write'
  readonly args: RecordSpec
  readonly output: FieldSpec
  /** Level of every output field that declares none. */
  readonly ceiling: Level
  readonly compartment: Compartment | null
  /** Clearance of the service that receives the arguments: `sensitive` for the owner's own account, `public` for a web site. */
  readonly reaches: Level
  /** A write's sink, such as `sink:calendar:owner`; null for reads. */
  readonly sink: string | null
  /** Writes only: the resulting state, shown after "Done at 13:05:"; a sentence with a lower-case start. */
  readonly done?: string
  /**
   * Capability by which templates may select it, such as `mail:read`. `public:read` follows from the declaration and cannot be
   * set here.
   */
  readonly capability?: string
  /** What happens to it while home is offline (T-07); refused if absent. */
  readonly offline?: OfflineRow
  /** Progress text while it runs (C-32). */
  readonly progress?: string
  /** Progress code for the other place. The places exchange only words of a closed list. */
  readonly doing?: Doing
  /** Reads only: the intent that this action answers, and the plan for it; used by templates with `tool_plans`. */
  readonly answers?: { readonly intent: string; readonly steps: readonly Json[] }
  /** Reads only: the fields that a standing grant may share with others. */
  readonly shares?: readonly string[]
}

export interface ToolManifest {
  readonly name: string
  readonly version: string
  readonly ownerOnly: boolean
  /** Where it may run. A tool with a credential runs where the credential is stored (I-08). */
  readonly places: readonly Place[]
  /** Exact hosts, or `*` for any public host that the owner typed (web.read). */
  readonly network: readonly string[]
  /** Name of the credential that home unseals for one call, or null. */
  readonly credential: string | null
  /** How the owner obtains that credential; absent where it is never asked for. */
  readonly connect?: ConnectSpec
  readonly actions: readonly ActionManifest[]
}

/**
 * Texts for asking the owner for a credential (L-11, L-12). Written by the kernel's side, so that they cannot be used for
 * phishing.
 */
export interface ConnectSpec {
  /** Name of the service, such as `Google`. */
  readonly title: string
  /** Where the owner gets it and what it looks like: one or two sentences. */
  readonly where: string
  /** Source of a regular expression that a whole message must match to be taken as the credential (L-16). */
  readonly shape: string
}

/** A secret unsealed for exactly one call (E-06). Must not be logged or appear in a result. */
export interface Credential {
  readonly scheme: 'bearer'
  readonly value: string
}

/** Everything that a tool gets: no global fetch, no environment, no kernel. */
export interface ToolCall {
  readonly action: string
  readonly args: { readonly [key: string]: Json }
  readonly capability: CapabilityToken
  readonly credential: Credential | null
  readonly http: ScopedHttp
}

/** `output` is checked against the declaration; `level` can only raise the guard. */
export type ToolOutcome =
  | { readonly ok: true; readonly output: unknown; readonly level?: Level }
  | { readonly ok: false; readonly reason: Refusal }

export interface Tool {
  readonly manifest: ToolManifest
  execute(call: ToolCall): Promise<ToolOutcome>
  /**
   * One harmless call that checks a credential (L-18) and returns its account where the service names it. Refusals:
   * remote_unauthorized or remote_rejected if the service does not accept it; any other says nothing about the credential.
   */
  check?(call: { readonly credential: Credential; readonly http: ScopedHttp }): Promise<Result<string | null>>
  /** Exchanges the credential for a new one, where the service supports it (E-11). Refusals are the tool's own. */
  renew?(call: { readonly credential: Credential; readonly http: ScopedHttp }): Promise<Result<string>>
}
