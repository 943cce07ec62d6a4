CREATE TABLE `slack_kept` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
