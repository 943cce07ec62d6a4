/**
 * A line that answers from a script, for tests of what the terminal does with answers. Counts what it was asked.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { UsageReport } from '../../kernel/pipeline/usage-report.ts'
import type { Edit, FileView, VersionView, Written } from '../../kernel/runtime/directive-desk.ts'
import type { GrantView } from '../../kernel/runtime/grants.ts'
import type { LinkView } from '../../kernel/runtime/identity-links.ts'
import type { Keepsake } from '../../kernel/runtime/keepsakes.ts'
import type { InvitationRequest, PersonView } from '../../kernel/runtime/people.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import type { ApprovalView, Standing } from '../../kernel/runtime/shell.ts'
import type { NameCheck } from '../../kernel/runtime/whoami.ts'
import type {
  Decision,
  GrantTerms,
  LineDelivery,
  LineDraft,
  LineEdit,
  LineJoin,
  LineMessage,
  Link,
} from '../../sidecar/cli/link.ts'
import type { ModelLook } from '../../sidecar/doctor/model-look.ts'
import type { ModelsView } from '../../sidecar/model-methods.ts'

export interface ScriptedLink extends Link {
  readonly sent: LineMessage[]
  readonly decided: [string, Decision][]
  /** Ids that were to be forgotten, and corrections. */
  readonly joined: LineJoin[]
  readonly invited: InvitationRequest[]
  readonly changed: (string | [string, string])[]
  readonly edited: LineEdit[]
  readonly proposed: (
    | GrantTerms
    | { readonly message: string }
    | { readonly template: string; readonly message: string }
  )[]
  readonly revoked: string[]
  /** Edits and restorations of directive files. */
  readonly questioned: Parameters<Link['questions']['done']>[0][]
  readonly written: (Edit | { readonly name: string; readonly version: number })[]
}

export interface Script {
  /** The edge has no bot. */
  readonly noBot?: boolean
  readonly line?: Link['line']
  /** One result a call, in order; the last one stays. */
  readonly sends?: readonly Result<{ readonly task: string }>[]
  readonly reports?: readonly Result<TaskReport>[]
  readonly rows?: readonly LineDelivery[]
  /** What is being written, at every look. */
  readonly draft?: LineDraft
  readonly approvals?: readonly ApprovalView[]
  readonly standing?: Result<Standing>
  readonly grants?: readonly GrantView[]
  readonly models?: ModelsView
  readonly identities?: readonly LinkView[]
  readonly people?: readonly PersonView[]
  readonly lock?: Result<{ readonly done: boolean }>
  readonly memory?: readonly Keepsake[]
  readonly notices?: readonly string[]
  readonly names?: readonly NameCheck[]
  /** Without it the line is down. */
  readonly usage?: UsageReport
  readonly look?: ModelLook
  /** What the place says of itself, beside its name. */
  readonly status?: Readonly<Record<string, unknown>>
  readonly decision?: Result<{ readonly task: string }>
  readonly files?: readonly FileView[]
  readonly versions?: readonly VersionView[]
  readonly written?: Result<Written>
  /** The first questions are to be put; the assistant has a name already. */
  readonly due?: boolean
  readonly unnamed?: boolean
}

const WRITTEN: Written = { version: 2, approval: null, warnings: [], keptBy: [] }

function find<T>(list: readonly T[] | undefined, fits: (one: T) => boolean): Result<T> {
  const found = list?.find(fits)
  return found === undefined ? err('directive_unknown') : ok(found)
}

export function scriptedLink(script: Script = {}): ScriptedLink {
  const next = <T>(list: readonly T[] | undefined, fallback: T) => {
    let at = 0
    return () => list?.[Math.min(at++, list.length - 1)] ?? fallback
  }
  const send = next(script.sends, ok({ task: 't1' }))
  const report = next(script.reports, ok(reportWith({})))
  const sent: LineMessage[] = []
  const decided: [string, Decision][] = []
  const changed: ScriptedLink['changed'] = []
  const joined: LineJoin[] = []
  const invited: InvitationRequest[] = []
  const edited: LineEdit[] = []
  const proposed: ScriptedLink['proposed'] = []
  const revoked: string[] = []
  const written: ScriptedLink['written'] = []
  const questioned: ScriptedLink['questioned'] = []
  return {
    line: script.line ?? 'private',
    sent,
    decided,
    changed,
    joined,
    invited,
    async send(message) {
      sent.push(message)
      return send()
    },
    deliveries: async (after, waitMs) => {
      const rows = (script.rows ?? []).filter((row) => row.seq > after)
      if (rows.length === 0) await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, 20)))
      return ok(rows)
    },
    draft: () => script.draft ?? null,
    report: async () => report(),
    approvals: async () => ok(script.approvals ?? []),
    standing: async () => script.standing ?? err('approval_unknown'),
    async decide(approval, decision) {
      decided.push([approval, decision])
      return script.decision ?? ok({ task: 't1' })
    },
    async edit(edit) {
      edited.push(edit)
      return ok({ task: 't1' })
    },
    async always(terms) {
      proposed.push(terms)
      return ok({ approval: 'g1' })
    },
    async allow(terms) {
      proposed.push(terms)
      return ok({ approval: 'g1' })
    },
    grants: async () => ok(script.grants ?? []),
    async revoke(grant) {
      revoked.push(grant)
      return ok({ grant })
    },
    transport: {
      async acknowledge(message) {
        if (script.noBot === true) return err('sink_unknown')
        proposed.push({ message })
        return ok({ approval: 'g1' })
      },
      async revoke() {
        revoked.push('transport')
        return ok({ grant: 'g1' })
      },
    },
    models: {
      list: async () => ok(script.models ?? { models: [], templates: [], trouble: null }),
      async acknowledge(asked) {
        proposed.push(asked)
        return ok({ approval: 'g1' })
      },
      async revoke(template) {
        revoked.push(template)
        return ok({ grant: 'g1' })
      },
    },
    people: {
      list: async () => ok(script.people ?? []),
      async invite(asked) {
        invited.push(asked)
        const [openUntil, say] = [Date.now() + asked.hours * 3_600_000, 'pair AAAA-BBBB-CCCC']
        return ok({ agreement: 'a1', approval: 'g1', say, openUntil })
      },
      async revoke(agreement) {
        revoked.push(agreement)
        return ok({ agreement, wasLive: agreement !== 'never' })
      },
    },
    identities: async () => ok(script.identities ?? []),
    async join(ends) {
      joined.push(ends)
      const codes = [ends.one, ends.other].map((principal, n) => ({
        principal,
        say: `link AAAA-AAAA-AAA${n}`,
      }))
      return ok({ link: 'l1', ends: codes, expiresAt: Date.now() + 900_000 })
    },
    async part(link) {
      changed.push(link)
      return ok({ link, wasLive: link !== 'never' })
    },
    edited,
    proposed,
    revoked,
    stop: async (task) => ok({ task }),
    reload: async () => ok({ changed: true, tokens: 300, notices: script.notices ?? [] }),
    whoAmI: async () => ok(script.names ?? []),
    doctor: async () => (script.look === undefined ? err('home_offline') : ok(script.look)),
    usage: async () => (script.usage === undefined ? err('home_offline') : ok(script.usage)),
    memory: async () => ok(script.memory ?? []),
    memoryEntry: async (which) => {
      const found = (script.memory ?? []).find(({ id, number }) => id === which || `${number}` === which)
      return found === undefined ? err('memory_unknown') : ok(found)
    },
    async undoForget(number) {
      changed.push(`undo ${number}`)
      return script.memory?.[0] === undefined ? err('memory_gone') : ok(script.memory[0])
    },
    async forget(id) {
      changed.push(id)
      return ok({})
    },
    async correct(id, text) {
      changed.push([id, text])
      return ok({})
    },
    brain: {
      list: async () => ok(script.files ?? []),
      show: async (name, version) =>
        find(script.versions, (one) => one.name === name && (version ?? one.version) === one.version),
      history: async () => ok(script.versions ?? []),
      async edit(edit) {
        written.push(edit)
        return script.written ?? ok(WRITTEN)
      },
      async restore(back) {
        written.push(back)
        return script.written ?? ok(WRITTEN)
      },
    },
    written,
    questions: {
      state: async () => ok({ due: script.due === true, persona: script.unnamed !== false }),
      async done(answers) {
        questioned.push(answers)
        return ok({})
      },
    },
    questioned,
    lock: async () => script.lock ?? ok({ done: true }),
    status: async () => ok({ place: 'home', ...script.status }),
    close: () => undefined,
  }
}

export function reportWith(task: Partial<TaskReport['task']>, reply: string | null = 'Done.'): TaskReport {
  return {
    reply,
    task: {
      id: 't1',
      place: 'home',
      template: 'owner_private',
      label: 'sensitive',
      taint: 'raw',
      model: 'rules',
      planner: 'rules',
      path: 'fast',
      state: 'completed',
      trouble: null,
      approval: null,
      steps: [],
      delivered: [],
      ...task,
    },
    timings: { totalMs: 12 },
  }
}

export function approvalWith(view: Partial<ApprovalView>): ApprovalView {
  return {
    id: 'ap1',
    number: 1,
    task: 't1',
    tool: 'calendar.create_event',
    card: 'Lunch',
    full: 'Lunch',
    kind: 'tainted_write',
    count: 1,
    reason: 'write_approval_required',
    createdAt: 0,
    expiresAt: 300_000,
    ...view,
  }
}
