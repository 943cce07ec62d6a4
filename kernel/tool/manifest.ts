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
import type { PostSpec } from './post.ts'

/** A write that only appends a text to its target. */
export interface AddsSpec {
  /** Argument that names the target. */
  readonly to: string
  /** Argument with the text that is appended. */
  readonly text: string
  /** Field of the lookup that identifies the target permanently, among those that the card shows: an id, not a name. */
  readonly by: string
  /** Field of the lookup by which people name the target. */
  readonly name: string
}

/**
 * Continuation of a long result, by a number or id that is opaque, shown to nobody,
 * and passed only to the action that returned it.
 */
export interface PagesSpec {
  /** Field of the output that says where the next part begins; absent in the last part. */
  readonly field: string
  /** Optional argument that takes this value; all other arguments are repeated unchanged. */
  readonly argument: string
}

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
  /**
   * Reads only: the highest level that the tool may report, for people who read the table of tools. A report only raises.
   */
  readonly raises?: Level
  readonly compartment: Compartment | null
  /**
   * Clearance of whoever reads the arguments: `sensitive` for the owner's own account, `public` for a
   * web site. What is written to `public` is read by everyone, so such a write takes only what the owner
   * typed in the message, and nothing private that was looked up, remembered or written by others.
   */
  readonly reaches: Level
  /** A write's sink, such as `sink:calendar:owner`; null for reads. */
  readonly sink: string | null
  /** Writes only: the resulting state, shown after "Done at 13:05:"; a sentence with a lower-case start. */
  readonly done?: string
  /**
   * Writes only: when the owner is asked beyond what the flow rules demand. `always`: before every call, and no
   * grant covers it. `taint`: the write stays in the owner's own account and can be undone, so a template that asks
   * before writes does not ask for it; the taint of its arguments and of what selected them still does (DESIGN §10).
   */
  readonly asks?: 'always' | 'taint'
  /**
   * Writes only: looks up who will read what is written, by a read of the same tool (I-14). The result
   * is one more argument, which no plan can set: the card shows it, and the approval covers it.
   */
  readonly target?: TargetLookup
  /** Default value by argument: a card does not show it, as if the argument were absent. */
  readonly usual?: Readonly<Record<string, string>>
  /** Writes only: appends a text to its target, and changes, runs or follows nothing there. A job may write there. */
  readonly adds?: AddsSpec
  /** Writes only: the argument that the owner words. A replacement for "the text" of the card is for this argument. */
  readonly worded?: string
  /** Writes only: the argument that is published as a post. A post that is too long is refused before the owner is asked. */
  readonly post?: PostSpec
  /** Writes only: looks up facts for the card, such as a conflict, by a read of the same tool. They decide nothing. */
  readonly remarks?: RemarksLookup
  /** Writes only: what begins at `from` may repeat (`SERIES_ARGS`). The card describes the repetition, with the next dates. */
  readonly series?: true
  /** Writes only: schedules another write of the tool. The kernel stores the call until then and calls no tool before. */
  readonly later?: LaterCall
  /**
   * Capability by which templates select it, such as `mail:read`. `public:read`, `own:read` and `own:write` are derived, not set.
   */
  readonly capability?: string
  /** Policy while home is offline (T-07); refused if absent. */
  readonly offline?: OfflineRow
  /** Progress text while it runs (C-32). */
  readonly progress?: string
  /** Words for it on an approval card (F-03); its description if absent. */
  readonly card?: CardWords
  /** What it does, for people, with an example of a request. */
  readonly help?: string
  /** Progress code for the other place. The places exchange only words of a closed list. */
  readonly doing?: Doing
  /** Common. True: planners always get the full description; `room`: if it fits. Others: if the request is about them (I-32). */
  readonly core?: true | 'room'
  /** Kernel effects only: the owner's operation that it calls, whose words the card shows. */
  readonly operation?: string
  /** Described to planners only if a request is about it or a search found it; otherwise a prompt names only its family. */
  readonly sought?: true
  /** The read creates a card of its own that changes something: in a plan it counts as a write. */
  readonly widens?: true
  /** Words by which a request finds it, besides its description. Words of the package's phrases are added. */
  readonly terms?: readonly string[]
  /**
   * More such words, as people typed them, and examples of argument forms. Only for a planner's prompt and the search for tools.
   */
  readonly finds?: readonly string[]
  /** Reads only: the intent that this action answers, and the plan for it; used by templates with `tool_plans`. */
  readonly answers?: { readonly intent: string; readonly steps: readonly Json[] }
  /** Only for reads that disclose the owner's words: further reads that an approval covers. The card says so (DESIGN §10). */
  readonly opens?: Opens
  /**
   * Reads only: the owner's names for values of this argument. Without a model, a request that is such a name means this read.
   */
  readonly called?: {
    readonly argument: string
    readonly names: readonly string[]
    /** Digest of what each name stands for: a job asks again if the same name stands for something else. */
    readonly versions?: Readonly<Record<string, string>>
  }
  /**
   * The owner's names for a value of this argument besides the value itself, such as a mailbox's address. Not part of any prompt.
   */
  readonly named?: NamedValues
  /** Kernel effects only: later requests may refer to its result, as to results of tools. */
  readonly earlier?: true
  /** Reads only: returns one part of a longer result; "more" asks for the next part of the same request (`pages.ts`). */
  readonly pages?: PagesSpec
  /** Reads only: the fields that a standing grant may share with others. */
  readonly shares?: readonly string[]
}

export interface NamedValues {
  readonly argument: string
  readonly names: readonly { readonly name: string; readonly called: readonly string[] }[]
}

/** Lookup of a write's target, before the owner is asked and again right before the write. If they differ, nothing is written. */
export interface TargetLookup {
  /** Id of the read. */
  readonly by: string
  /** Arguments of the read, each with the argument of the write that gives its value. */
  readonly given: Readonly<Record<string, string>>
  /** Field of its output, an enum; also the name of the argument. */
  readonly field: string
  /** Clearance of the readers, by the field's value. An unlisted value, and a failed lookup, count as public. */
  readonly reaches: Readonly<Record<string, Level>>
  /**
   * Further fields of the output that describe the target found for the owner's words: id, title, place.
   * They become arguments as well, so that the write goes to what was shown. Absent if the lookup failed.
   */
  readonly shows?: Readonly<Record<string, FieldSpec>>
}

/** Lookup of remarks, made before the owner is asked. The card mentions a failure, unless the write could not succeed either. */
export interface RemarksLookup {
  /** Id of the read. */
  readonly by: string
  /** Arguments of the read, each with the argument of the write that gives its value; an absent one is left out. */
  readonly given: Readonly<Record<string, string>>
  /** The lookup is made even if the call has none of these arguments. */
  readonly always?: true
  /**
   * Fields of the output, ids, that become arguments of the write, such as the version of what is changed.
   * The approval covers them; if they differ once the owner has answered, the owner is asked again.
   */
  readonly binds?: readonly string[]
}

/** A write that is approved together with its time, and runs at that time under a new token. */
export interface LaterCall {
  /** Id of the write that runs: it takes the same arguments except one. */
  readonly runs: string
  /** The argument with the time. */
  readonly at: string
  /** The output field with the time. */
  readonly says: string
}

/** The first destinations in the result of a call, each of which another read may be called with. */
export interface Opens {
  /** Id of that read, and its destination. */
  readonly tool: string
  readonly argument: string
  /** List of the result, and the field of its items that is the destination. */
  readonly list: string
  readonly field: string
  /** Maximum places from the top of the list: as many as a person expects one approval to cover. */
  readonly most: number
}

/** Sentences of an approval card, written by the kernel's side. */
export interface CardWords {
  /** What would be done, as a sentence to the owner: `Add this to your calendar.` */
  readonly ask: string
  /** Words for an argument on a card; default: the argument's name. Must be unique within an action. */
  readonly names?: Readonly<Record<string, string>>
  /** Words for a value of a closed set on a card; must be unique. */
  readonly values?: Readonly<Record<string, string>>
  /** What the absence of an optional argument means, by its name: `Nobody is invited.` */
  readonly without?: Readonly<Record<string, string>>
  /** A warning when a date argument lies before now, by its name. */
  readonly past?: Readonly<Record<string, string>>
  /** Words for a field that a lookup of remarks found. For a text, a record or a list they are the heading of its contents. */
  readonly remarks?: Readonly<Record<string, string>>
  /** Text of the card if that lookup failed. */
  readonly unremarked?: string
  /** Who will read what is written, by the looked-up value, including `unknown`. */
  readonly readers?: Readonly<Record<string, string>>
}

export interface ToolManifest {
  readonly name: string
  readonly version: string
  readonly ownerOnly: boolean
  /** Where it may run. A tool with a credential runs where the credential is stored (I-08). */
  readonly places: readonly Place[]
  /** Exact hosts, or `*` for any public host that the owner typed (web.read). */
  readonly network: readonly string[]
  /** Redirects must not leave the requested host, whatever hosts are allowed. */
  readonly redirects?: 'same_host'
  /** The owner runs the service: its only address is the one given at a terminal, which may be in the own network. */
  readonly selfHosted?: true
  /** Name of the credential that home unseals for one call, or null. */
  readonly credential: string | null
  /** How the owner obtains that credential; absent if it is never asked for. */
  readonly connect?: ConnectSpec
  /** Services of this kind that people ask for but that cannot be connected yet, or only at the terminal. */
  readonly notYet?: readonly NotYet[]
  /** The owner's accounts that one call may open, each with its own credential and hosts; absent: only the credential above. */
  readonly accounts?: readonly AccountSpec[]
  readonly actions: readonly ActionManifest[]
}

export interface AccountSpec {
  /** The owner's name for it. */
  readonly name: string
  readonly credential: string
  /** Name of the account at the credential's custodian; null: the default account of that credential. */
  readonly account: string | null
  readonly network: readonly string[]
  /** The HTTP client adds the credential to each request and follows no redirect; the tool never gets it. */
  readonly sends?: AddedHeader
  /** How the owner obtains it; absent if no chat asks for it. */
  readonly connect?: ConnectSpec
}

export interface AddedHeader {
  /** Scheme, host and port. The header is sent to no other origin. */
  readonly origin: string
  readonly header: string
  /** Written before the value; `Basic` encodes it (RFC 7617). */
  readonly scheme: 'Bearer' | 'Basic' | null
}

/**
 * Texts for asking the owner for a credential (L-11, L-12). Written by the kernel's side, so they cannot be used for phishing.
 */
export interface ConnectSpec {
  /** Name of the service, such as `Google`. */
  readonly title: string
  /** Where the owner gets it and what it looks like: one or two sentences. */
  readonly where: string
  /** Source of a regular expression that a whole message must match to be taken as the credential (L-16). */
  readonly shape: string
  /** Instructions for `pfar connect`, which has more room: one line per page. */
  readonly steps?: readonly string[]
  /** Example request for the time after connecting, as the owner would type it. */
  readonly says?: string
  /** Other names that people use for it, in lower case. */
  readonly called?: readonly string[]
  /** The owner's accounts, if there are several: each with the name of its secret. */
  readonly several?: readonly { readonly title: string; readonly secret: string }[]
  /** Words for what it gives access to, as people use them when they ask whether it works. Another service may share a word. */
  readonly covers?: readonly string[]
}

/** Answer given at once if somebody wants such a service connected, by its name or by an address there. */
export interface NotYet {
  /** Names of the service, in lower case. */
  readonly called: readonly string[]
  /** First labels of the domains of its addresses; `any`: any address that belongs to no other service. */
  readonly domains: readonly string[] | 'any'
  /** Says that it is not possible yet and what is, in one or two sentences; or the terminal command that connects it. */
  readonly says: string | { readonly command: string }
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
  /**
   * Only for a tool that declares accounts: unseals the credential of one account for this call, with a client
   * for its hosts only. Refusals: credential_mismatch for an undeclared account, and those of the custodian.
   */
  readonly open?: (account: string) => Promise<Result<OpenAccount>>
}

export type OpenAccount = Pick<ToolCall, 'credential' | 'http'> & {
  /**
   * Reports whether the service accepted the credential, for a tool with a connection of its own; the `http` client sees that.
   */
  readonly settle?: (isAccepted: boolean) => void
}

/** `output` is checked against the declaration; `level` can only raise the guard. */
export type ToolOutcome =
  | { readonly ok: true; readonly output: unknown; readonly level?: Level }
  | { readonly ok: false; readonly reason: Refusal }

export interface Tool {
  readonly manifest: ToolManifest
  execute(call: ToolCall): Promise<ToolOutcome>
  /** Whether the owner has not configured anything that it could work on, such as a folder. A call then returns instructions. */
  isIdle?(): boolean
  /** Name of the declared account that this call would open, according to its arguments; null for none. Pure. */
  opens?(action: string, args: ToolCall['args']): string | null
  /**
   * One harmless call that checks a credential (L-18) and returns its account where the service names it. Refusals:
   * remote_unauthorized, remote_rejected or remote_scope_missing if the service does not accept it; any other says nothing about
   * the credential.
   */
  check?(call: { readonly credential: Credential; readonly http: ScopedHttp }): Promise<Result<string | null>>
  /** Exchanges the credential for a new one, where the service supports it (E-11). Refusals are the tool's own. */
  renew?(call: { readonly credential: Credential; readonly http: ScopedHttp }): Promise<Result<string>>
}

/**
 * `queue`: waits for home, at most `ttl` milliseconds after the message; the owner may choose otherwise. `degrade`: the edge
 * does it with its own data and never waits for home. `refuse`: refused at once.
 */
export type OfflinePolicy =
  | { readonly do: 'refuse' }
  | { readonly do: 'queue'; readonly ttl: number }
  | { readonly do: 'degrade' }

interface OfflineRow {
  readonly policy: OfflinePolicy
  readonly why: string
}

export const REFUSE: OfflinePolicy = Object.freeze({ do: 'refuse' })
export const DEGRADE: OfflinePolicy = Object.freeze({ do: 'degrade' })

/** Default waiting time, milliseconds: a computer restarts or wakes in it. If it takes longer, a person has to look. */
export const OFFLINE_WAIT = 30 * 60_000

export interface HttpRequest {
  /** `PROPFIND` and `REPORT` only read, like `GET` (RFC 4918, RFC 3253). */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'PROPFIND' | 'REPORT'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpResponse {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded text, at most the client's size limit. */
  readonly body: string
  /** After redirects. */
  readonly url: string
}

/**
 * Refusals: host_not_allowed, scheme_not_allowed, address_private, url_malformed, redirect_refused, response_too_large,
 * response_timeout, network_failed.
 */
export interface ScopedHttp {
  request(request: HttpRequest): Promise<Result<HttpResponse>>
}
