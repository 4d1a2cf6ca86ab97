// As README says for vite 5 and 6: their default target has no top-level await.
export default { build: { target: 'es2022' } };
