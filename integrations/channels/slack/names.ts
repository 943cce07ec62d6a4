/** What the channel is called here, and where its service is. Called by home. */

/** Name of the adapter in sources, sinks and templates. */
export const SLACK = 'slack'

export const SLACK_ORIGIN = 'https://slack.com'

/** Where Slack's sockets are: the host of an address that it gives out must end so. */
export const SLACK_SOCKETS = '.slack.com'
