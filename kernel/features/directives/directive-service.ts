/**
 * Directive files for the owner (O-09 – O-13, O-26): show, write, restore. An addition is stored at once, with the
 * version before it; a removal of lines needs approval in another message. No model is involved. Must not show what
 * the requesting sink is not cleared for. Called by home's directive methods.
 */
import { activationOf, checkChange, differenceOf, linesIn } from '../../directives/change.ts'
import { parseHeader } from '../../directives/header.ts'
import { type FileName, parseFileName } from '../../directives/name.ts'
import { isStandard, keeperOf, MOST_USER_FILES, ownershipOf } from '../../directives/ownership.ts'
import { normalised, packed, promptBody, unpacked } from '../../directives/text.ts'
import { derive } from '../../flow/labeled.ts'
import { directiveWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { audit } from '../../powers/audit.ts'
import type {
  AskingTime,
  AtPlace,
  Clock,
  DirectiveFiles,
  OwnerChats,
  PolicySource,
  Sealing,
  SecretScan,
} from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { holdsSecret } from '../../wording/guard/pasted.ts'
import { showUnseen } from '../../wording/visible.ts'
import { propose } from '../approvals/change.ts'
import { type DeliverPorts, showTo } from '../deliveries/deliver.ts'
import type { Asking } from '../memory/port.ts'
import { dropOld, sealDirective } from './directive-keeping.ts'
import { currentDirectives, openDirective } from './directives.ts'
import type {
  DirectiveStore,
  DirectivesPort,
  Edit,
  FileView,
  StoredDirective,
  VersionView,
  Written,
} from './port.ts'

export function createDirectiveService(
  powers: DeliverPorts & DirectiveFiles & OwnerChats & AskingTime & StoreOf<ApprovalStore>,
): DirectivesPort {
  return {
    list: (asking) => list(powers, asking),
    show: async (asking, name, version) => {
      const versions = await history(powers, asking, name)
      if (!versions.ok) return versions
      const found = versions.value.find((one) => version === null || one.version === version)
      return found === undefined ? err('directive_unknown') : ok(found)
    },
    history: (asking, name) => history(powers, asking, name),
    edit: (asking, edit) => write(powers, asking, edit),
    restore: async (asking, { version, ...back }) => {
      const versions = await history(powers, asking, back.name)
      if (!versions.ok) return versions
      const found = versions.value.find((one) => one.version === version)
      if (found === undefined) return err('directive_unknown')
      const replaces = versions.value[0]?.version ?? 0
      return write(powers, asking, { ...back, text: found.text, replaces, cleanup: true })
    },
  }
}

/** A file as the requesting sink may see it. */
interface Shown {
  readonly kept: StoredDirective
  readonly name: string
  readonly text: string
}

/** Ports needed to show the owner a directive file. */
type DirectiveReadPorts = Clock & AtPlace & PolicySource & DirectiveFiles & Sealing & SecretScan

async function shownTo(powers: DirectiveReadPorts, asking: Asking): Promise<readonly Shown[]> {
  const files = await currentDirectives(powers)
  return files.flatMap(({ kept, content }) => {
    const open = showTo(powers, asking, derive(content, packed))
    return open.ok ? [{ kept, ...unpacked(open.value) }] : []
  })
}

async function list(powers: DirectiveReadPorts, asking: Asking): Promise<readonly FileView[]> {
  const files = (await shownTo(powers, asking)).filter(isThere)
  return files
    .map((file) => viewOf(file))
    .sort((a, b) => ownershipOf(a.name).rank - ownershipOf(b.name).rank || (a.name < b.name ? -1 : 1))
}

/** An own file with an empty text counts as deleted until one of its versions is restored. */
function isThere({ name, text }: Shown): boolean {
  return isStandard(name) || text !== ''
}

function viewOf({ kept: { version, at }, name, text }: Shown): FileView {
  const { kind, owns, budget } = ownershipOf(name)
  const { mode, warnings } = activationOf(name, text)
  const size = promptBody(text).length
  const says = kind === 'user' ? (parseHeader(text).header?.owns ?? '') : owns
  const over = size > budget ? (['over_budget'] as const) : []
  return { name, kind, owns: says, mode, version, at, size, budget, warnings: [...warnings, ...over] }
}

async function history(
  powers: DirectiveReadPorts,
  asking: Asking,
  input: string,
): Promise<Result<readonly VersionView[]>> {
  const name = parseFileName(input)
  if (!name.ok) return name
  const file = (await shownTo(powers, asking)).find((one) => one.name === name.value)
  if (file === undefined || powers.directives === undefined) return err('directive_unknown')
  dropOld(powers.directives, file.kept.file, powers.now())
  const versions: VersionView[] = []
  for (const kept of powers.directives.history(file.kept.file)) {
    const opened = await openDirective(powers, kept)
    const open = opened.ok ? showTo(powers, asking, derive(opened.value.content, packed)) : opened
    if (open.ok) versions.push({ ...unpacked(open.value), version: kept.version, at: kept.at })
  }
  return ok(versions)
}

async function write(
  powers: DeliverPorts & DirectiveFiles & OwnerChats & AskingTime & StoreOf<ApprovalStore>,
  asking: Asking,
  edit: Edit,
): Promise<Result<Written>> {
  const { directives } = powers
  if (directives === undefined || asking.principal !== OWNER_PRINCIPAL)
    return err('principal_not_allowed', { principal: asking.principal })
  const name = parseFileName(edit.name)
  if (!name.ok) return name
  if (holdsSecret(edit.text, powers.known)) return err('secret_pasted')
  const files = await shownTo(powers, asking)
  const file = files.find((one) => one.name === name.value) ?? null
  if ((file?.kept.version ?? 0) !== edit.replaces) return err('record_stale')
  const after = normalised(edit.text)
  if (file !== null && file.text === after)
    return ok({ version: file.kept.version, approval: null, warnings: [], keptBy: [] })
  const others = files.filter((one) => one !== file && isThere(one))
  const judged = judge({ name: name.value, before: file?.text ?? null, after, cleanup: edit.cleanup }, others)
  if (!judged.ok) return judged
  const { asks, warnings, keptBy } = judged.value
  const id = file?.kept.file ?? (isStandard(name.value) ? name.value : powers.newId())
  const row = await sealDirective(powers, id, { name: name.value, text: after })
  const asked = { powers, directives, edit, row, before: file?.text ?? '', name: name.value }
  const done = asks ? await ask(asked, asking) : keep(asked)
  return done.ok ? ok({ ...done.value, warnings, keptBy }) : done
}

interface Asked {
  readonly name: FileName
  readonly before: string | null
  readonly after: string
  readonly cleanup: boolean
}

/** Refusals: those of `checkChange`; directive_budget for one own file too many. */
function judge(
  { name, before, after, cleanup }: Asked,
  others: readonly Shown[],
): Result<Pick<Written, 'warnings' | 'keptBy'> & { readonly asks: boolean }> {
  const mine = others.filter((one) => !isStandard(one.name))
  if (!isStandard(name) && after !== '' && mine.length >= MOST_USER_FILES)
    return err('directive_budget', { files: MOST_USER_FILES })
  const isAlways = (file: string, text: string): boolean => activationOf(file, text).mode === 'always'
  const sizes = others
    .filter((one) => isAlways(one.name, one.text))
    .map(({ text }) => promptBody(text).length)
  const always = { others: sizes.reduce((sum, size) => sum + size, 0), counts: isAlways(name, after) }
  const judged = checkChange({ name, before, after, cleanup, writer: 'owner', always })
  if (!judged.ok) return judged
  const { come } = differenceOf(before ?? '', after)
  const doubled = others.filter(({ text }) => linesIn(come, text).length > 0)
  const keptBy = [...new Set(doubled.map((one) => keeperOf(one.name, name)))]
  const warnings = after === '' ? [] : [...activationOf(name, after).warnings, ...judged.value.warnings]
  return ok({ asks: judged.value.asks, warnings, keptBy })
}

interface Writing {
  readonly powers: DeliverPorts & OwnerChats & AskingTime & StoreOf<ApprovalStore>
  readonly directives: DirectiveStore
  readonly edit: Edit
  readonly row: Omit<StoredDirective, 'version'>
  readonly name: FileName
  readonly before: string
}

type Kept = Pick<Written, 'version' | 'approval'>

function keep({ powers, directives, edit, row }: Writing): Result<Kept> {
  const { now, store } = powers
  const kept = store.transaction(() => {
    if (!directives.keep(row, edit.replaces)) return false
    dropOld(directives, row.file, now())
    audit(powers, 'directive_changed', null, { change: 'written', record: row.ref.id, by: OWNER_PRINCIPAL })
    return true
  })
  return kept ? ok({ version: edit.replaces + 1, approval: null }) : err('record_stale')
}

/** The draft is stored sealed until the approval, which names it. */
async function ask(
  { powers, directives, edit, row, before, name }: Writing,
  { principal }: Asking,
): Promise<Result<Kept>> {
  const { file, ref } = row
  const { replaces, message, text } = edit
  directives.putDraft({ ...row, until: powers.now() + powers.approvalTimeout })
  const card = directiveCard({ name, version: replaces, before, after: normalised(text) })
  const proposed = await propose(
    powers,
    { principal, place: powers.place, message },
    {
      kind: 'admin_change',
      change: { do: 'brain', file, draft: ref.id, replaces },
      card: receive(card, directiveWords()),
    },
  )
  if (proposed.ok) return ok({ version: null, approval: proposed.value.approval })
  directives.dropDraft(ref.id)
  return proposed
}

interface DirectiveCard {
  readonly name: string
  readonly version: number
  readonly before: string
  readonly after: string
}

function directiveCard({ name, version, before, after }: DirectiveCard): string {
  const { at, gone, come } = differenceOf(before, after)
  return [
    `May I change ${name}, a file that every answer follows? These lines of it would go (version ${version}, below line ${at}):`,
    ...gone.map((line) => marked('-', line)),
    ...(come.length === 0 ? ['Nothing comes in their place.'] : ['In their place:']),
    ...come.map((line) => marked('+', line)),
    `The version before stays for seven days: pfar brain history ${name}`,
  ].join('\n')
}

/** Prefixes lines so that no line of the file looks like a line of the card. */
function marked(sign: '-' | '+', line: string): string {
  return `  ${sign} ${showUnseen(line)}`.trimEnd()
}
