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

/** A write that only adds a text at the end of its target. */
export interface AddsSpec {
  /** Argument that names the target. */
  readonly to: string
  /** Argument that is added. */
  readonly text: string
  /** Field of the lookup by which the target is known for good, among those that the card shows: an id, not a name. */
  readonly by: string
  /** Field of the lookup that people call it by. */
  readonly name: string
}

/** A number or an id, which is opaque: it is bounded, shown to nobody, and goes back to the action that gave it. */
export interface PagesSpec {
  /** Field of the output that says where the next part begins; absent in the last one. */
  readonly field: string
  /** Optional argument that takes it; all others stay as they were. */
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
  /** Reads only: the highest level that the tool reports of a result, for people who read the table of tools; whatever it reports only raises. */
  readonly raises?: Level
  readonly compartment: Compartment | null
  /**
   * Clearance of who reads the arguments: `sensitive` for the owner's own account, `public` for a web site. A write that reaches `public` is read by
   * everyone: it takes what the owner typed in the message, and nothing private that was looked up, remembered or written by others.
   */
  readonly reaches: Level
  /** A write's sink, such as `sink:calendar:owner`; null for reads. */
  readonly sink: string | null
  /** Writes only: the resulting state, shown after "Done at 13:05:"; a sentence with a lower-case start. */
  readonly done?: string
  /**
   * Writes only: when the owner is asked beyond what the flow rules demand. `always`: before every call, and no grant covers it.
   * `taint`: it stays in the owner's own account and can be taken back, so a template that asks before writes does not ask for it; the
   * taint of what it is given and chosen by still does (DESIGN §10).
   */
  readonly asks?: 'always' | 'taint'
  /**
   * Writes only: who will read what is written, asked of the service by a read of the same tool (I-14). The answer is one more argument, which no
   * plan can give: it stands on the card and is part of what is approved.
   */
  readonly target?: TargetLookup
  /** A value by argument that goes without saying: a card does not show it, as if the argument were absent. */
  readonly usual?: Readonly<Record<string, string>>
  /** Writes only: it adds a text at the end of its target, and changes, runs and follows nothing there. What a job tells may go there. */
  readonly adds?: AddsSpec
  /** Writes only: which of several texts is the owner's to word. Words that are put in place of "the text" of its card are for this one. */
  readonly worded?: string
  /** Writes only: which argument is published as a post. One that is too long is not asked about; the card says how long it is and what it links to. */
  readonly post?: PostSpec
  /**
   * Writes only: what a read of the same tool says about the call, such as what it collides with. It is told on the card, in the card's words, and
   * decides nothing.
   */
  readonly remarks?: RemarksLookup
  /** Writes only: what begins at `from` may come again, as its arguments of `SERIES_ARGS` say. The card says that in words, with the next times. */
  readonly series?: true
  /** Writes only: it is another write of the tool, made at a later time. The kernel holds it until then, and no tool is called before. */
  readonly later?: LaterCall
  /**
   * Capability by which templates may select it, such as `mail:read`. `public:read`, `own:read` and `own:write` follow from the
   * declaration and cannot be set here.
   */
  readonly capability?: string
  /** What happens to it while home is offline (T-07); refused if absent. */
  readonly offline?: OfflineRow
  /** Progress text while it runs (C-32). */
  readonly progress?: string
  /** How an approval card names it (F-03); its description if absent. */
  readonly card?: CardWords
  /** What it does, to a person, with an example of how it is asked for. */
  readonly help?: string
  /** Progress code for the other place. The places exchange only words of a closed list. */
  readonly doing?: Doing
  /** Wanted every day: planners are always told of it in full, or where there is room (`room`). Others are, where the request is about them (I-32). */
  readonly core?: true | 'room'
  /** Kernel effects only: the operation of the owner's that it calls, whose words people read on its card. */
  readonly operation?: string
  /** Planners are told of it only where a request is about it or a search found it; else a prompt names its family alone. */
  readonly sought?: true
  /** A read that puts a card of its own, by which something changes: in a plan it counts as a write. */
  readonly widens?: true
  /** Words by which a request finds it, beside its description. Those of a package's phrases are added. */
  readonly terms?: readonly string[]
  /** More such words, as people typed them, and examples of forms that its arguments have; only a planner's prompt and a search look at them. */
  readonly finds?: readonly string[]
  /** Reads only: the intent that this action answers, and the plan for it; used by templates with `tool_plans`. */
  readonly answers?: { readonly intent: string; readonly steps: readonly Json[] }
  /** Reads of the owner's own words only: further reads that a yes to it covers. The card says so (DESIGN §10). */
  readonly opens?: Opens
  /** Reads only: names that the owner gave, each a value of this argument. Without a model, a request that is such a name alone means this read. */
  readonly called?: {
    readonly argument: string
    readonly names: readonly string[]
    /** By name, a digest of what it stands for: a job that calls another thing under the same name asks again. */
    readonly versions?: Readonly<Record<string, string>>
  }
  /** What the owner calls each value of this argument, besides the value itself: such as the address and the domain of a mailbox. No prompt has it. */
  readonly named?: NamedValues
  /** Kernel effects only: its result is among the earlier results of later requests, as those of tools are. */
  readonly earlier?: true
  /** Reads only: it gives one part of something longer, and "more" asks for the next one of the same request (`pages.ts`). */
  readonly pages?: PagesSpec
  /** Reads only: the fields that a standing grant may share with others. */
  readonly shares?: readonly string[]
}

export interface NamedValues {
  readonly argument: string
  readonly names: readonly { readonly name: string; readonly called: readonly string[] }[]
}

/** Made before the owner is asked, and again right before the write; one that says otherwise by then is not written to. */
export interface TargetLookup {
  /** Id of the read. */
  readonly by: string
  /** Its arguments, and which of the write's arguments each of them is. */
  readonly given: Readonly<Record<string, string>>
  /** Field of its output, an enum; also the name of the argument. */
  readonly field: string
  /** What those readers are cleared for, by the field's value. A value that is not listed, and a lookup that fails, count as public. */
  readonly reaches: Readonly<Record<string, Level>>
  /**
   * Further fields of its output that say what was found, where the owner names a target by words: id, title, place. They become arguments like
   * the first one, so that what was shown is what is written to. Absent where the lookup failed.
   */
  readonly shows?: Readonly<Record<string, FieldSpec>>
}

/** Made before the owner is asked. A failure is said on the card, unless the write could not succeed either. */
export interface RemarksLookup {
  /** Id of the read. */
  readonly by: string
  /** Its arguments, and which of the write's arguments each of them is; one that is absent is left out. */
  readonly given: Readonly<Record<string, string>>
  /** It is made even where the call has none of these arguments. */
  readonly always?: true
  /**
   * Fields of its output, ids, that become arguments of the write: such as the version of what is changed. They are part of what is approved, and
   * where they differ once the owner has answered, the owner is asked anew.
   */
  readonly binds?: readonly string[]
}

/** What is approved with its time, and runs then under a token of that moment. */
export interface LaterCall {
  /** Id of the write that runs: it takes the same arguments but one. */
  readonly runs: string
  /** Which argument is the time. */
  readonly at: string
  /** Field of the output that says it. */
  readonly says: string
}

/** The first destinations that a call finds, each of which another read may be called with. */
export interface Opens {
  /** Id of that read, and its destination. */
  readonly tool: string
  readonly argument: string
  /** List of the result, and the field of its items that is the destination. */
  readonly list: string
  readonly field: string
  /** Most places from the top of the list: what a person expects of one yes. */
  readonly most: number
}

/** Sentences of an approval card, written by the kernel's side. */
export interface CardWords {
  /** What would be done, as a sentence to the owner: `Add this to your calendar.` */
  readonly ask: string
  /** What an argument is called on a card, by its name; absent: its name. No two of an action are called alike. */
  readonly names?: Readonly<Record<string, string>>
  /** What a value of a closed set is called there; no two alike. */
  readonly values?: Readonly<Record<string, string>>
  /** What the absence of an optional argument means, by its name: `Nobody is invited.` */
  readonly without?: Readonly<Record<string, string>>
  /** A warning when a date argument lies before now, by its name. */
  readonly past?: Readonly<Record<string, string>>
  /** What is said of a field that a lookup of remarks found, by its name. Of a text, a record or a list it is the heading of what is there. */
  readonly remarks?: Readonly<Record<string, string>>
  /** Said where that lookup failed. */
  readonly unremarked?: string
  /** Who reads what is written, by the value that was looked up, `unknown` included. */
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
  /** No redirect leaves the host that was asked, whatever the hosts above allow. */
  readonly redirects?: 'same_host'
  /** The owner runs the service: it has no address but the one that the owner names at a terminal, which may be of the own network. */
  readonly selfHosted?: true
  /** Name of the credential that home unseals for one call, or null. */
  readonly credential: string | null
  /** How the owner obtains that credential; absent where it is never asked for. */
  readonly connect?: ConnectSpec
  /** Services of this kind that people ask for and that cannot be connected yet, or at the terminal alone. */
  readonly notYet?: readonly NotYet[]
  /** Accounts of the owner's that one call may open one by one, each with its own credential and hosts; absent: the one credential above. */
  readonly accounts?: readonly AccountSpec[]
  readonly actions: readonly ActionManifest[]
}

export interface AccountSpec {
  /** The owner's name for it. */
  readonly name: string
  readonly credential: string
  /** As the credential's custodian knows it; null: the default account of that credential. */
  readonly account: string | null
  readonly network: readonly string[]
  /** Its credential is added to each request behind the client and follows no redirect; the tool gets none of it. */
  readonly sends?: AddedHeader
  /** How the owner obtains it; absent where no chat asks for it. */
  readonly connect?: ConnectSpec
}

export interface AddedHeader {
  /** Scheme, host and port; no other address gets it. */
  readonly origin: string
  readonly header: string
  /** Written before the value; `Basic` encodes it (RFC 7617). */
  readonly scheme: 'Bearer' | 'Basic' | null
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
  /** Where `pfar connect` has more room: page by page, a line each. */
  readonly steps?: readonly string[]
  /** What can be asked once it is connected, as the owner would type it. */
  readonly says?: string
  /** Other names by which people ask for it, in lower case. */
  readonly called?: readonly string[]
  /** Where the owner has several accounts of it: each with the name of its secret. */
  readonly several?: readonly { readonly title: string; readonly secret: string }[]
  /** What it opens, as people name that when they ask whether it works; another service may be meant by the same. */
  readonly covers?: readonly string[]
}

/** What is said at once where somebody wants such a service connected, by its name or by an address there. */
export interface NotYet {
  /** In lower case. */
  readonly called: readonly string[]
  /** First labels of the domains of its addresses; `any`: any address of which no other service is said. */
  readonly domains: readonly string[] | 'any'
  /** That it is not possible yet, and what is, in one or two sentences; or the command at the terminal that connects it, and what is done there. */
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
   * Only for a tool that declares accounts: unseals the credential of one of them, for this call, with a client for its hosts alone. Refusals:
   * credential_mismatch for an account that is not declared, and those of the custodian.
   */
  readonly open?: (account: string) => Promise<Result<OpenAccount>>
}

export type OpenAccount = Pick<ToolCall, 'credential' | 'http'> & {
  /** Whether its service took the credential, where the tool has a connection of its own; over `http` that is seen. */
  readonly settle?: (isAccepted: boolean) => void
}

/** `output` is checked against the declaration; `level` can only raise the guard. */
export type ToolOutcome =
  | { readonly ok: true; readonly output: unknown; readonly level?: Level }
  | { readonly ok: false; readonly reason: Refusal }

export interface Tool {
  readonly manifest: ToolManifest
  execute(call: ToolCall): Promise<ToolOutcome>
  /** Whether the owner has set nothing up that it could work on, such as a folder: a call says how to. */
  isIdle?(): boolean
  /** Name of the declared account that this call would open, where the arguments say it; null for none. Pure. */
  opens?(action: string, args: ToolCall['args']): string | null
  /**
   * One harmless call that checks a credential (L-18) and returns its account where the service names it. Refusals:
   * remote_unauthorized, remote_rejected or remote_scope_missing if the service does not accept it; any other says nothing about the credential.
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

/** Milliseconds. Long enough for a computer to restart or wake; later a person has checked it. */
export const A_WHILE = 30 * 60_000

export interface HttpRequest {
  /** `PROPFIND` and `REPORT` read, as `GET` does (RFC 4918, RFC 3253). */
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

/** Refusals: host_not_allowed, scheme_not_allowed, address_private, url_malformed, redirect_refused, response_too_large, response_timeout, network_failed. */
export interface ScopedHttp {
  request(request: HttpRequest): Promise<Result<HttpResponse>>
}
