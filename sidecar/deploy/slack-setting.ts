/**
 * Writes the owner's app at Slack into `config.toml`, and takes it away again. Must not change a line that its owner wrote, and holds no
 * token. Called by `pfar slack`.
 */
import { SLACK_ORIGIN } from '../../integrations/channels/slack/names.ts'
import { readConfigText, replaceConfig } from '../config-file.ts'
import { withoutTable } from '../init/settings-edit.ts'
import type { SlackConfig } from '../slack/slack-config.ts'
import { appendSetting } from './edge-setting.ts'

export function slackLines({ team, owner, app, chat, api }: SlackConfig): string {
  const lines = [
    '[slack]',
    ...Object.entries({ team, owner, app, chat }).map(([key, id]) => `${key} = "${id}"`),
  ]
  return (api === SLACK_ORIGIN ? lines : [...lines, `api = "${api}"`]).join('\n')
}

/** False where a line of the owner's says something else, or nothing could be written. */
export function writeSlackSetting(path: string, slack: SlackConfig): boolean {
  const lines = slackLines(slack)
  const isSet = ({ slack: there }: { readonly slack: SlackConfig | null }): boolean =>
    there !== null && slackLines(there) === lines
  return appendSetting(path, lines, isSet) !== 'by_hand'
}

/** False where it does not stand there as it was written. */
export function removeSlackSetting(path: string, slack: SlackConfig): boolean {
  const text = readConfigText(path)
  const without = text === null ? null : withoutTable(text, `${slackLines(slack)}\n`)
  return without !== null && replaceConfig(path, without)
}
