import { jobFiles } from "./job-files.ts";

export const FIRST_JOB = "daily-report";

/** A whole project, by the paths of its files. `escapement` is where npm takes the package from. */
export function projectFiles(name: string, escapement: string): Record<string, string> {
  return {
    "package.json": json({
      name,
      private: true,
      type: "module",
      scripts: {
        start: "exec node --import tsx node_modules/escapement/dist/bin/escapement.js dev",
        test: "node --import tsx --test test/*.test.ts",
        check: "tsc --noEmit",
        synth: "cdk synth --quiet",
        deploy: "cdk deploy",
      },
      dependencies: { escapement },
      devDependencies: {
        "@types/node": "^24.0.0",
        "aws-cdk": "^2.1148.0",
        "aws-cdk-lib": "^2.276.0",
        constructs: "^10.8.0",
        tsx: "^4.23.0",
        typescript: "^6.0.0",
      },
    }),
    "tsconfig.json": json({
      compilerOptions: {
        target: "ES2023",
        module: "NodeNext",
        types: ["node"],
        strict: true,
        exactOptionalPropertyTypes: true,
        allowImportingTsExtensions: true,
        skipLibCheck: true,
        noEmit: true,
      },
      include: ["bin", "functions", "test"],
    }),
    "cdk.json": json({ app: "npx tsx bin/app.ts" }),
    ".gitignore": "node_modules/\ncdk.out/\n.escapement/\n",
    "bin/app.ts": app(name),
    "README.md": readme(name),
    ...jobFiles(FIRST_JOB, { vitest: false }),
  };
}

function app(name: string): string {
  return `import { App } from "aws-cdk-lib";
import { exitWithError, loadJobs, ScheduledFunctionsStack } from "escapement/infra";

try {
  const app = new App();
  const stage: string = app.node.tryGetContext("stage") ?? "dev";
  new ScheduledFunctionsStack(app, \`${name}-\${stage}\`, { stage, jobs: await loadJobs("functions") });
} catch (error) {
  exitWithError(error);
}
`;
}

function readme(name: string): string {
  return `# ${name}

\`\`\`sh
npm install
npm start                        # the jobs on this machine, without an AWS account
npx escapement list              # in a second terminal
npx escapement new nightly-sync  # a new job, with its test
npm test
npm run deploy                   # into the account of your shell
\`\`\`

A job is one file in \`functions/\`; what it needs besides, \`bin/app.ts\` gives it.
`;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
