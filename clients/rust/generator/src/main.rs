//! A plugin of buf or protoc: reads a CodeGeneratorRequest, writes messages by prost and stubs by tonic.

use std::collections::HashSet;
use std::io::{Read, Write, stdin, stdout};

use prost::Message;
use prost_build::{Config, Module};
use prost_types::FileDescriptorProto;
use prost_types::compiler::code_generator_response::{Feature, File};
use prost_types::compiler::{CodeGeneratorRequest, CodeGeneratorResponse};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut input = Vec::new();
    stdin().read_to_end(&mut input)?;
    let response = generate(CodeGeneratorRequest::decode(input.as_slice())?)?;
    stdout().write_all(&response.encode_to_vec())?;
    Ok(())
}

/// Generates one file for each requested package.
fn generate(request: CodeGeneratorRequest) -> std::io::Result<CodeGeneratorResponse> {
    let stubs = tonic_prost_build::configure().build_server(false).build_transport(false);
    let mut config = Config::new();
    config.service_generator(stubs.service_generator());
    let requested: HashSet<Module> = request
        .proto_file
        .iter()
        .filter(|file| request.file_to_generate.contains(&file.name().to_owned()))
        .map(module)
        .collect();
    // prost also reads the files that are imported, to know which messages can be copied.
    let files = request.proto_file.into_iter().map(|file| (module(&file), file)).collect();
    let file = config
        .generate(files)?
        .into_iter()
        .filter(|(module, _)| requested.contains(module))
        .map(|(module, content)| File {
            name: Some(module.to_file_name_or("contract")),
            content: Some(format!("// Generated from proto/ by clients/rust/generator.\n\n{content}")),
            ..File::default()
        })
        .collect();
    let supported = Some(Feature::Proto3Optional as u64);
    Ok(CodeGeneratorResponse { file, supported_features: supported, ..CodeGeneratorResponse::default() })
}

/// The module of a file: its package.
fn module(file: &FileDescriptorProto) -> Module {
    Module::from_protobuf_package_name(file.package())
}
