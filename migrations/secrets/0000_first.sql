CREATE TABLE `secrets` (
	`name` text NOT NULL,
	`version` integer NOT NULL,
	`record` text NOT NULL,
	`kind` text NOT NULL,
	`scope` text NOT NULL,
	`sealed` blob NOT NULL,
	`status` text NOT NULL,
	`createdAt` integer NOT NULL,
	`storedAt` integer NOT NULL,
	`lastUsedAt` integer,
	`provenAt` integer,
	`rejectedAt` integer,
	`remindedAt` integer,
	PRIMARY KEY(`name`, `version`)
);
