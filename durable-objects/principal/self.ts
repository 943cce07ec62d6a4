/**
 * What an object knows about the assistant and the owner (S000 §2): home's description and time zone as last synced, and whether
 * home is connected. Must not query other objects while a prompt is made: it refreshes between runs only. Called by powers.ts and
 * PrincipalObject.
 */

import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import { speak } from '../../integrations/languages/speak.ts'
import { EDGE_RUNNERS } from '../../integrations/tools/edge.ts'
import type { SettingStore } from '../../kernel/features/quiet/port.ts'
import { hearQuiet } from '../../kernel/features/quiet/quiet.ts'
import { hearTimes } from '../../kernel/features/reminders/away.ts'
import type { StoreOf } from '../../kernel/powers/stores.ts'
import { createSelfKeeper, integrationsOf, type SelfKeeper, serviceOf } from '../../kernel/self/keeper.ts'
import type { Integration } from '../../kernel/self/section.ts'
import { OWN_NAME, type SelfSources } from '../../kernel/self/snapshot.ts'
import type { SyncedSelf } from '../../kernel/self/synced-self.ts'
import type { PauseCommands } from '../../kernel/task/pause.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import type { RemoteModelList } from '../../kernel/tunnel/ask.ts'
import { DEFAULT_LANGUAGE, languageIn, languageOf } from '../../kernel/wording/languages.ts'
import { chatNames } from '../directory.ts'
import { KERNEL_NAME } from '../names.ts'
import type { EdgeSettings, KernelCalls } from '../platform/env.ts'
import type { EdgeProfile } from '../registry/profile.ts'

export interface EdgeSelf {
  readonly keeper: SelfKeeper
  /** Takes home's description, as last synced. */
  setDescription(self: SyncedSelf | null): void
  /** Whether home has reported the service as connected. */
  has(service: string): boolean
  /** The models that home offers to the edge; the same array until home changes them. */
  remoteModels(): readonly RemoteModelList[]
  /** Sets whether the owner's bot receives messages (H-14). */
  setBotReceives(bot: boolean): void
  /** The value last set by `setBotReceives`. */
  botReceives(): boolean
  /** Sets whether home was connected at the last query (M-06). */
  setHomeUp(up: boolean): void
}

const NO_REMOTE_MODELS: readonly RemoteModelList[] = Object.freeze([])

/** Services that the edge has without home. */
const OWN = integrationsOf(createRegistry(EDGE_RUNNERS.map(({ manifest }) => manifest)), (action) => [
  { name: serviceOf(action), state: 'active' },
])

/** `chats`: the names of the chats that the edge holds. `jobs`: those that run here. */
export function createEdgeSelf(
  chats: readonly string[] = ['open line'],
  jobs: SelfSources['jobs'] = () => [],
): EdgeSelf {
  let description: SyncedSelf | null = null
  let up = true
  let bot = true
  const services = (): readonly Integration[] =>
    (description?.services ?? [])
      // A service without tools is one of home's chats, which is of no use here.
      .filter(({ tools }) => tools > 0)
      .map((service) => ({ ...service, state: up ? 'active' : 'unavailable' }))
  const sources: SelfSources = {
    persona: () => description?.persona ?? { name: OWN_NAME, style: null },
    integrations: () => [...OWN, ...services()],
    skills: () => [],
    channels: () =>
      chats.map((name) => ({ name, note: bot || name !== EDGE_CHAT.name ? '' : 'not working' })),
    jobs,
    // Preferences are private and stay at home.
    preferences: () => [],
  }
  const keeper = createSelfKeeper({ sources, now: () => Date.now(), fault: () => undefined })
  return {
    keeper,
    setDescription(self) {
      if (JSON.stringify(self) === JSON.stringify(description)) return
      description = self
      keeper.touch('home')
    },
    has: (service) => description?.services.some(({ name }) => name === service) === true,
    remoteModels: () => description?.models ?? NO_REMOTE_MODELS,
    setBotReceives(now) {
      if (now === bot) return
      bot = now
      keeper.touch('channel')
    },
    botReceives: () => bot,
    setHomeUp(now) {
      if (now === up) return
      up = now
      keeper.touch('home')
    },
  }
}

export interface SyncedProfile {
  timezone(): string
  readonly self: EdgeSelf
  /**
   * Takes an event of the owner. Until home has synced a language, the first message whose language is clear sets it for answers.
   * Never throws.
   */
  detectLanguage(event: unknown): Promise<void>
  /** Reads home's last sync again from KernelObject. Never throws. */
  refresh(): Promise<void>
}

export function createSyncedProfile(
  settings: Pick<EdgeSettings, 'timezone' | 'bot'>,
  kernel: KernelCalls<'syncedFor'>,
  input: {
    /** Principal of this object; null until it is known. */
    readonly principal: () => string | null
    readonly pause: (words: PauseCommands) => unknown
    /** Called in the owner's object with the synced profile, to apply what concerns the owner alone. */
    readonly applyProfile: (profile: EdgeProfile) => unknown
    readonly jobs: SelfSources['jobs']
  },
): SyncedProfile {
  const edgeSelf = createEdgeSelf(chatNames(settings.bot.channel), input.jobs)
  let { timezone } = settings
  let isSettled = false
  const speakNow = async (language: string | null): Promise<void> => {
    isSettled = language !== null
    await speak(languageOf(language ?? '') ?? DEFAULT_LANGUAGE)
  }
  return {
    timezone: () => timezone,
    self: edgeSelf,
    async detectLanguage(event) {
      if (isSettled || input.principal() !== OWNER_PRINCIPAL) return
      const text = typeof event === 'object' && event !== null ? Reflect.get(event, 'text') : null
      const language = typeof text === 'string' ? languageIn(text) : null
      if (language === null) return
      try {
        const synced = await kernel.getByName(KERNEL_NAME).syncedFor(OWNER_PRINCIPAL, language)
        await speakNow(synced.language)
      } catch {
        // An answer in English is better than none.
      }
    },
    async refresh() {
      try {
        const synced = await kernel.getByName(KERNEL_NAME).syncedFor(input.principal())
        const { profile, self, bot, pause: said } = synced
        if (profile !== null) timezone = profile.timezone
        await speakNow(synced.language)
        input.pause(said)
        if (profile !== null) input.applyProfile(profile)
        edgeSelf.setDescription(self)
        edgeSelf.setBotReceives(bot)
      } catch {
        // Keeps the copy: an unreachable KernelObject must not prevent an answer.
      }
    },
  }
}

/** Stores home's quiet hours, and the times at which private reminders are due. */
export function applyProfile(powers: StoreOf<SettingStore>, { quiet, due }: EdgeProfile): void {
  hearQuiet(powers, quiet ?? null)
  hearTimes(powers, due ?? null)
}
